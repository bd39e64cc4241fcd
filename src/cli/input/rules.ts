import {
  address,
  type Check,
  clusterAddress,
  flag,
  list,
  map,
  namespaceName,
  objectName,
  oneOf,
  quantity,
  requiredAddress,
  targetPort,
  text,
  timestamp,
  wholeNumber,
} from './checks.ts';

/** The kinds that are read; every other one is passed over. */
export type Kind = 'Service' | 'Pod' | 'Node' | 'Endpoints' | 'EndpointSlice';

/** One rule: a field must be so. `[]` stands for every element of a list, `{}` for every value of a map. */
export interface Rule {
  readonly path: string;
  readonly check: Check;
  /** Whether the field must be there (where what holds it is). */
  readonly required?: boolean;
}

const protocol = oneOf('TCP', 'UDP', 'SCTP');

const metadata: readonly Rule[] = [
  { path: 'metadata', check: map, required: true },
  { path: 'metadata.name', check: objectName, required: true },
  { path: 'metadata.namespace', check: namespaceName },
  { path: 'metadata.uid', check: text },
  { path: 'metadata.resourceVersion', check: text },
  { path: 'metadata.creationTimestamp', check: timestamp },
  { path: 'metadata.deletionTimestamp', check: timestamp },
  { path: 'metadata.labels', check: map },
  { path: 'metadata.labels{}', check: text },
  { path: 'metadata.annotations', check: map },
  { path: 'metadata.annotations{}', check: text },
];

const containers = (path: string): readonly Rule[] => [
  { path, check: list },
  { path: `${path}[]`, check: map },
  { path: `${path}[].name`, check: text },
  { path: `${path}[].restartPolicy`, check: text },
  { path: `${path}[].ports`, check: list },
  { path: `${path}[].ports[]`, check: map },
  { path: `${path}[].ports[].name`, check: text },
  { path: `${path}[].ports[].containerPort`, check: wholeNumber(0, 65535) },
  { path: `${path}[].ports[].protocol`, check: protocol },
];

const addresses = (path: string): readonly Rule[] => [
  { path, check: list },
  { path: `${path}[]`, check: map },
  { path: `${path}[].ip`, check: requiredAddress, required: true },
  { path: `${path}[].hostname`, check: text },
  { path: `${path}[].nodeName`, check: text },
  { path: `${path}[].targetRef`, check: map },
  { path: `${path}[].targetRef{}`, check: text },
];

const conditions: readonly Rule[] = [
  { path: 'status.conditions', check: list },
  { path: 'status.conditions[]', check: map },
  { path: 'status.conditions[].type', check: text },
  { path: 'status.conditions[].status', check: text },
  { path: 'status.conditions[].lastTransitionTime', check: timestamp },
];

const names = (path: string): readonly Rule[] => [
  { path, check: list },
  { path: `${path}[]`, check: map },
  { path: `${path}[].name`, check: text, required: true },
];

/** What an object of each kind must be for its endpoints to be known. A rule stands after those for what holds its field. */
export const rules: Readonly<Record<Kind, readonly Rule[]>> = {
  Service: [
    ...metadata,
    { path: 'spec', check: map },
    { path: 'spec.type', check: oneOf('ClusterIP', 'NodePort', 'LoadBalancer', 'ExternalName') },
    { path: 'spec.selector', check: map },
    { path: 'spec.selector{}', check: text },
    { path: 'spec.clusterIP', check: clusterAddress },
    { path: 'spec.ipFamilies', check: list },
    { path: 'spec.ipFamilies[]', check: oneOf('IPv4', 'IPv6') },
    { path: 'spec.ipFamilyPolicy', check: oneOf('SingleStack', 'PreferDualStack', 'RequireDualStack') },
    { path: 'spec.trafficDistribution', check: text },
    { path: 'spec.publishNotReadyAddresses', check: flag },
    { path: 'spec.ports', check: list },
    { path: 'spec.ports[]', check: map },
    { path: 'spec.ports[].name', check: text },
    { path: 'spec.ports[].port', check: wholeNumber(1, 65535), required: true },
    { path: 'spec.ports[].protocol', check: protocol },
    { path: 'spec.ports[].targetPort', check: targetPort },
    { path: 'spec.ports[].appProtocol', check: text },
  ],
  Pod: [
    ...metadata,
    { path: 'spec', check: map },
    ...containers('spec.containers'),
    ...containers('spec.initContainers'),
    { path: 'spec.restartPolicy', check: oneOf('Always', 'OnFailure', 'Never') },
    { path: 'spec.nodeName', check: text },
    { path: 'spec.hostname', check: text },
    { path: 'spec.subdomain', check: text },
    { path: 'status', check: map },
    { path: 'status.phase', check: oneOf('Pending', 'Running', 'Succeeded', 'Failed', 'Unknown') },
    { path: 'status.podIP', check: address },
    { path: 'status.podIPs', check: list },
    { path: 'status.podIPs[]', check: map },
    { path: 'status.podIPs[].ip', check: address },
    ...conditions,
  ],
  Node: [
    ...metadata,
    { path: 'status', check: map },
    ...conditions,
    { path: 'status.allocatable', check: map },
    { path: 'status.allocatable{}', check: quantity },
  ],
  Endpoints: [
    ...metadata,
    { path: 'subsets', check: list },
    { path: 'subsets[]', check: map },
    ...addresses('subsets[].addresses'),
    ...addresses('subsets[].notReadyAddresses'),
    { path: 'subsets[].ports', check: list },
    { path: 'subsets[].ports[]', check: map },
    { path: 'subsets[].ports[].name', check: text },
    { path: 'subsets[].ports[].port', check: wholeNumber(0, 65535), required: true },
    { path: 'subsets[].ports[].protocol', check: protocol },
    { path: 'subsets[].ports[].appProtocol', check: text },
  ],
  EndpointSlice: [
    ...metadata,
    { path: 'metadata.ownerReferences', check: list },
    { path: 'metadata.ownerReferences[]', check: map },
    { path: 'metadata.ownerReferences[].apiVersion', check: text },
    { path: 'metadata.ownerReferences[].kind', check: text },
    { path: 'metadata.ownerReferences[].name', check: text },
    { path: 'metadata.ownerReferences[].uid', check: text },
    { path: 'addressType', check: oneOf('IPv4', 'IPv6', 'FQDN'), required: true },
    { path: 'endpoints', check: list },
    { path: 'endpoints[]', check: map },
    { path: 'endpoints[].addresses', check: list },
    { path: 'endpoints[].addresses[]', check: text },
    { path: 'endpoints[].conditions', check: map },
    { path: 'endpoints[].conditions.ready', check: flag },
    { path: 'endpoints[].conditions.serving', check: flag },
    { path: 'endpoints[].conditions.terminating', check: flag },
    { path: 'endpoints[].hostname', check: text },
    { path: 'endpoints[].targetRef', check: map },
    { path: 'endpoints[].targetRef{}', check: text },
    { path: 'endpoints[].nodeName', check: text },
    { path: 'endpoints[].zone', check: text },
    { path: 'endpoints[].hints', check: map },
    ...names('endpoints[].hints.forZones'),
    ...names('endpoints[].hints.forNodes'),
    { path: 'ports', check: list },
    { path: 'ports[]', check: map },
    { path: 'ports[].name', check: text },
    { path: 'ports[].port', check: wholeNumber(0, 65535) },
    { path: 'ports[].protocol', check: protocol },
    { path: 'ports[].appProtocol', check: text },
  ],
};
