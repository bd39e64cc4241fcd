import { resources } from 'kube-endpoints/port';
import { structType } from '../../api-types/index.ts';
import { createTextReader, type Description, metadataFields } from '../description.ts';
import { warningsOfIP } from '../field/addresses.ts';
import { child, copyOf, type Draft, ensureChild, entries, type Fields, list, number, text, texts } from '../field/read.ts';
import { ageColumn, ageOf, column, nameColumn, wideColumn } from '../table/columns.ts';
import { defaultService, isExternal } from './defaults.ts';
import { validateServiceCreate, validateServiceStatus, validateServiceUpdate } from './validate.ts';

/**
 * The Service resource. Cluster IPs, IP families and node ports are allocated and validated before this strategy runs. Mirrors
 * pkg/registry/core/service/strategy.go (1.36).
 */
export const services: Description = {
  resource: resources.services,
  singular: 'service',
  shortNames: ['svc'],
  categories: ['all'],
  type: structType('core.Service'),
  strategy: {
    resetFields: ['status'],
    defaults: defaultService,
    prepareForCreate(draft) {
      delete draft['status'];
    },
    prepareForUpdate(draft, old) {
      draft['status'] = copyOf(old['status']);
      dropTypeDependentFields(draft, old);
    },
    canonicalize(draft) {
      if (text(child(draft, 'spec'), 'type') === 'ExternalName') delete ensureChild(draft, 'spec')['internalTrafficPolicy'];
    },
    validate: validateServiceCreate,
    validateUpdate: validateServiceUpdate,
    warnings: warningsOfService,
    createOnUpdate: true,
    unconditionalUpdate: true,
  },
  subresources: {
    status: {
      resetFields: ['spec'],
      prepareForUpdate(draft, old) {
        draft['spec'] = copyOf(old['spec']);
      },
      validateUpdate: validateServiceStatus,
    },
  },
  selectableFields: {
    ...metadataFields(true),
    'spec.clusterIP': createTextReader('spec', 'clusterIP'),
    'spec.type': createTextReader('spec', 'type'),
  },
  columns: [nameColumn, column('Type'), column('Cluster-IP'), column('External-IP'), column('Port(s)'), ageColumn, wideColumn('Selector')],
  cells(object, now) {
    const spec = child(object, 'spec');
    return [
      text(child(object, 'metadata'), 'name'),
      text(spec, 'type'),
      texts(spec, 'clusterIPs')[0] ?? '<none>',
      externalIPCell(object),
      list(spec, 'ports').map(portCell).join(',') || '<none>',
      ageOf(object, now),
      selectorCell(spec),
    ];
  },
};

const portCell = (port: Fields): string => {
  const nodePort = number(port, 'nodePort');
  return `${number(port, 'port')}${nodePort > 0 ? `:${nodePort}` : ''}/${text(port, 'protocol')}`;
};

const selectorCell = (spec: Fields): string =>
  entries(spec, 'selector')
    .map(([key, value]) => `${key}=${value}`)
    .sort()
    .join(',') || '<none>';

/** Mirrors getServiceExternalIP (pkg/printers/internalversion, 1.36). */
function externalIPCell(object: Fields): string {
  const spec = child(object, 'spec');
  const specIPs = texts(spec, 'externalIPs');
  switch (text(spec, 'type')) {
    case 'ClusterIP':
    case 'NodePort':
      return specIPs.length > 0 ? specIPs.join(',') : '<none>';
    case 'LoadBalancer': {
      const ingress = list(child(child(object, 'status'), 'loadBalancer'), 'ingress');
      const ingressAddresses = new Set(ingress.map((each) => text(each, 'ip') || text(each, 'hostname')).filter((each) => each !== ''));
      const addresses = [...[...ingressAddresses].sort(), ...specIPs];
      return addresses.length > 0 ? addresses.join(',') : '<pending>';
    }
    case 'ExternalName':
      return text(spec, 'externalName');
    default:
      return '<unknown>';
  }
}

/**
 * Clears unchanged fields of the previous type, and the status if the type is not LoadBalancer; the allocators have already cleared their own fields. Mirrors dropTypeDependentFields
 * (pkg/registry/core/service/strategy.go, 1.36).
 */
export function dropTypeDependentFields(draft: Draft, old: Fields): void {
  const spec = ensureChild(draft, 'spec');
  const oldSpec = child(old, 'spec');
  const isLoadBalancer = text(spec, 'type') === 'LoadBalancer';
  if (text(oldSpec, 'type') === 'LoadBalancer' && !isLoadBalancer) {
    for (const name of ['allocateLoadBalancerNodePorts', 'loadBalancerClass']) if (spec[name] === oldSpec[name]) delete spec[name];
  }
  if (isExternal(oldSpec) && !isExternal(spec) && spec['externalTrafficPolicy'] === oldSpec['externalTrafficPolicy']) {
    delete spec['externalTrafficPolicy'];
  }
  if (!isLoadBalancer) delete draft['status'];
}

/** Mirrors GetWarningsForService (pkg/api/service/warnings.go, 1.36), except for CIDRs, which validation requires to be canonical. */
export function warningsOfService(object: Fields): string[] {
  const spec = child(object, 'spec');
  const type = text(spec, 'type');
  const externalIPs = texts(spec, 'externalIPs');
  const isHeadless = type === 'ClusterIP' && text(spec, 'clusterIP') === 'None';
  const loadBalancerIP = text(spec, 'loadBalancerIP');
  const warnings: (string | false)[] = [
    Object.hasOwn(child(child(object, 'metadata'), 'annotations'), hintsAnnotation) &&
      `annotation ${hintsAnnotation} is deprecated, please use service.kubernetes.io/topology-mode instead`,
    ...(isHeadless ? [] : texts(spec, 'clusterIPs').flatMap((ip, i) => warningsOfIP(`spec.clusterIPs[${i}]`, ip))),
    isHeadless && loadBalancerIP !== '' && 'spec.loadBalancerIP is ignored for headless services',
    isHeadless && externalIPs.length > 0 && 'spec.externalIPs is ignored for headless services',
    isHeadless && text(spec, 'sessionAffinity') !== 'None' && 'spec.SessionAffinity is ignored for headless services',
    ...externalIPs.flatMap((ip, i) => warningsOfIP(`spec.externalIPs[${i}]`, ip)),
    externalIPs.length > 0 &&
      !isHeadless &&
      type !== 'ExternalName' &&
      'spec.externalIPs is deprecated and may no longer be implemented in some clusters',
    ...warningsOfIP('spec.loadBalancerIP', loadBalancerIP),
    externalIPs.length > 0 && type === 'ExternalName' && 'spec.externalIPs is ignored when spec.type is "ExternalName"',
    text(spec, 'externalName') !== '' && type !== 'ExternalName' && 'spec.externalName is ignored when spec.type is not "ExternalName"',
    text(spec, 'trafficDistribution') === 'PreferClose' && 'spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"',
  ];
  return warnings.filter((each) => each !== false);
}

const hintsAnnotation = 'service.kubernetes.io/topology-aware-hints';
