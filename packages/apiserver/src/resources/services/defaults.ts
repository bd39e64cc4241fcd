import { child, type Draft, draftList, ensureChild, has, number, text, texts } from '../field/read.ts';

/** Mirrors SetDefaults_Service (pkg/apis/core/v1/defaults.go, 1.36). */
export function defaultService(draft: Draft): void {
  const spec = ensureChild(draft, 'spec');
  if (text(spec, 'sessionAffinity') === '') spec['sessionAffinity'] = 'None';
  setAffinityDefaults(spec);
  if (text(spec, 'type') === '') spec['type'] = 'ClusterIP';
  for (const port of draftList(spec, 'ports')) setPortDefaults(port);
  const type = text(spec, 'type');
  if (isExternal(spec) && text(spec, 'externalTrafficPolicy') === '') spec['externalTrafficPolicy'] = 'Cluster';
  if (!has(spec, 'internalTrafficPolicy') && typesWithInternalPolicy.includes(type)) spec['internalTrafficPolicy'] = 'Cluster';
  if (type !== 'LoadBalancer') return;
  if (!has(spec, 'allocateLoadBalancerNodePorts')) spec['allocateLoadBalancerNodePorts'] = true;
  for (const ingress of draftList(child(child(draft, 'status'), 'loadBalancer') as Draft, 'ingress')) {
    if (text(ingress, 'ip') !== '' && !has(ingress, 'ipMode')) ingress['ipMode'] = 'VIP';
  }
}

export const typesWithInternalPolicy: readonly string[] = ['ClusterIP', 'NodePort', 'LoadBalancer'];

/** Default timeout of ClientIP session affinity, in seconds. */
const defaultAffinitySeconds = 10_800;

function setAffinityDefaults(spec: Draft): void {
  const affinity = text(spec, 'sessionAffinity');
  if (affinity === 'None') delete spec['sessionAffinityConfig'];
  if (affinity !== 'ClientIP') return;
  if (!has(child(child(spec, 'sessionAffinityConfig'), 'clientIP'), 'timeoutSeconds')) {
    spec['sessionAffinityConfig'] = { clientIP: { timeoutSeconds: defaultAffinitySeconds } };
  }
}

function setPortDefaults(port: Draft): void {
  if (text(port, 'protocol') === '') port['protocol'] = 'TCP';
  if (!has(port, 'targetPort') || port['targetPort'] === '' || port['targetPort'] === 0) {
    if (number(port, 'port') === 0) delete port['targetPort'];
    else port['targetPort'] = number(port, 'port');
  }
}

/** Mirrors ExternallyAccessible (pkg/api/service/util.go, 1.36). */
export function isExternal(spec: Readonly<Record<string, unknown>>): boolean {
  const type = text(spec, 'type');
  return type === 'LoadBalancer' || type === 'NodePort' || (type === 'ClusterIP' && texts(spec, 'externalIPs').length > 0);
}

/** Mirrors NeedsHealthCheck. */
export const needsHealthCheck = (spec: Readonly<Record<string, unknown>>): boolean =>
  text(spec, 'type') === 'LoadBalancer' && text(spec, 'externalTrafficPolicy') === 'Local';
