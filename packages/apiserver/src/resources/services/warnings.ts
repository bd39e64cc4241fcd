import { warningsOfIP } from '../field/ip-warnings.ts';
import { child, type Fields, text, texts } from '../field/read.ts';

/** Mirrors GetWarningsForService (pkg/api/service/warnings.go, 1.36), but for ranges of addresses, which validation wants canonical. */
export function warningsOfService(object: Fields): string[] {
  const spec = child(object, 'spec');
  const type = text(spec, 'type');
  const external = texts(spec, 'externalIPs');
  const headless = type === 'ClusterIP' && text(spec, 'clusterIP') === 'None';
  const balancer = text(spec, 'loadBalancerIP');
  const found: (string | false)[] = [
    Object.hasOwn(child(child(object, 'metadata'), 'annotations'), hints) &&
      `annotation ${hints} is deprecated, please use service.kubernetes.io/topology-mode instead`,
    ...(headless ? [] : texts(spec, 'clusterIPs').flatMap((ip, i) => warningsOfIP(`spec.clusterIPs[${i}]`, ip))),
    headless && balancer !== '' && 'spec.loadBalancerIP is ignored for headless services',
    headless && external.length > 0 && 'spec.externalIPs is ignored for headless services',
    headless && text(spec, 'sessionAffinity') !== 'None' && 'spec.SessionAffinity is ignored for headless services',
    ...external.flatMap((ip, i) => warningsOfIP(`spec.externalIPs[${i}]`, ip)),
    external.length > 0 &&
      !headless &&
      type !== 'ExternalName' &&
      'spec.externalIPs is deprecated and may no longer be implemented in some clusters',
    ...warningsOfIP('spec.loadBalancerIP', balancer),
    external.length > 0 && type === 'ExternalName' && 'spec.externalIPs is ignored when spec.type is "ExternalName"',
    text(spec, 'externalName') !== '' && type !== 'ExternalName' && 'spec.externalName is ignored when spec.type is not "ExternalName"',
    text(spec, 'trafficDistribution') === 'PreferClose' && 'spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"',
  ];
  return found.filter((each) => each !== false);
}

const hints = 'service.kubernetes.io/topology-aware-hints';
