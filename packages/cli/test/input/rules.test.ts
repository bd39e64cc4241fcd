import { describe, expect, test } from 'vitest';
import { type RelatedKind, relatedKindNames, type WorkloadKind, workloadKinds } from '../../src/input/related-kinds.ts';
import { type Kind, rules } from '../../src/input/rules.ts';
import { validate } from '../../src/input/validate.ts';

/** A field, a valid value, an invalid value, and the message for the latter. */
type Row = readonly [path: string, good: unknown, bad: unknown, message: string];

const mapRow = (path: string): Row => [path, {}, [], 'is a list: give a map'];
const itemRow = (path: string, good: unknown): Row => [path, good, 'x', 'is "x": give a map'];
const listRow = (path: string): Row => [path, [], {}, 'is a map: give a list'];
const textRow = (path: string): Row => [path, 'x', 7, 'is 7: give text, quoted in YAML'];
const addressRow = (path: string): Row => [path, 'fd00::1', '10.0.0.300', 'is "10.0.0.300": give an IPv4 or IPv6 address'];
const timeRow = (path: string): Row => [path, '2026-01-31T12:00:00Z', 'now', 'is "now": give a time such as "2026-01-31T12:00:00Z"'];
const portRow = (path: string, minimum: number): Row => [path, 65535, 65536, `is 65536: give a whole number from ${minimum} to 65535`];
const protocolRow = (path: string): Row => [path, 'SCTP', 'ICMP', 'is "ICMP": give TCP, UDP or SCTP'];
const nameRow = (path: string): Row => [path, 'a-b.c', 'A', 'is "A": give a name of lower-case letters, digits, "-" and "."'];

const boolRow = (path: string): Row => [path, false, 'no', 'is "no": give true or false'];

const metadataRows: readonly Row[] = [
  ['metadata', { name: 'x' }, [], 'is a list: give a map'],
  nameRow('metadata.name'),
  nameRow('metadata.namespace'),
  textRow('metadata.uid'),
  textRow('metadata.resourceVersion'),
  timeRow('metadata.creationTimestamp'),
  timeRow('metadata.deletionTimestamp'),
  mapRow('metadata.labels'),
  textRow('metadata.labels{}'),
  mapRow('metadata.annotations'),
  textRow('metadata.annotations{}'),
];

const createProbeRows = (path: string): readonly Row[] => [
  mapRow(path),
  mapRow(`${path}.httpGet`),
  mapRow(`${path}.tcpSocket`),
  mapRow(`${path}.grpc`),
  mapRow(`${path}.exec`),
  listRow(`${path}.exec.command`),
];

const createContainerRows = (path: string): readonly Row[] => [
  listRow(path),
  itemRow(`${path}[]`, {}),
  textRow(`${path}[].name`),
  textRow(`${path}[].restartPolicy`),
  listRow(`${path}[].ports`),
  itemRow(`${path}[].ports[]`, {}),
  textRow(`${path}[].ports[].name`),
  portRow(`${path}[].ports[].containerPort`, 0),
  protocolRow(`${path}[].ports[].protocol`),
  ...createProbeRows(`${path}[].startupProbe`),
  ...createProbeRows(`${path}[].readinessProbe`),
];

const createContainerStatusRows = (path: string): readonly Row[] => [
  listRow(path),
  itemRow(`${path}[]`, {}),
  textRow(`${path}[].name`),
  boolRow(`${path}[].ready`),
  boolRow(`${path}[].started`),
  [`${path}[].restartCount`, 3, -1, 'is -1: give a whole number from 0 to 9007199254740991'],
  ...createStateRows(`${path}[].state`),
  ...createStateRows(`${path}[].lastState`),
];

const createStateRows = (path: string): readonly Row[] => [
  mapRow(path),
  mapRow(`${path}.running`),
  timeRow(`${path}.running.startedAt`),
  mapRow(`${path}.waiting`),
  textRow(`${path}.waiting.reason`),
  textRow(`${path}.waiting.message`),
  mapRow(`${path}.terminated`),
  textRow(`${path}.terminated.reason`),
  textRow(`${path}.terminated.message`),
];

const createEndpointAddressRows = (path: string): readonly Row[] => [
  listRow(path),
  itemRow(`${path}[]`, { ip: '10.0.0.1' }),
  addressRow(`${path}[].ip`),
  textRow(`${path}[].hostname`),
  textRow(`${path}[].nodeName`),
  mapRow(`${path}[].targetRef`),
  textRow(`${path}[].targetRef{}`),
];

const conditionRows: readonly Row[] = [
  listRow('status.conditions'),
  itemRow('status.conditions[]', {}),
  textRow('status.conditions[].type'),
  textRow('status.conditions[].status'),
  timeRow('status.conditions[].lastTransitionTime'),
];

const createNameRows = (path: string): readonly Row[] => [listRow(path), itemRow(`${path}[]`, { name: 'a' }), textRow(`${path}[].name`)];

const loadBalancerRows: readonly Row[] = [
  listRow('metadata.finalizers'),
  textRow('metadata.finalizers[]'),
  portRow('spec.ports[].nodePort', 0),
  textRow('spec.loadBalancerClass'),
  boolRow('spec.allocateLoadBalancerNodePorts'),
  ['spec.externalTrafficPolicy', 'Local', 'local', 'is "local": give Cluster or Local'],
  mapRow('status'),
  mapRow('status.loadBalancer'),
  listRow('status.loadBalancer.ingress'),
  itemRow('status.loadBalancer.ingress[]', {}),
  addressRow('status.loadBalancer.ingress[].ip'),
  textRow('status.loadBalancer.ingress[].hostname'),
];

const clusterAddressRow = (path: string): Row => [path, 'None', 'none', 'is "none": give an IPv4 or IPv6 address, or None'];

const networkRows: readonly Row[] = [
  listRow('spec.clusterIPs'),
  clusterAddressRow('spec.clusterIPs[]'),
  listRow('spec.externalIPs'),
  addressRow('spec.externalIPs[]'),
  textRow('spec.externalName'),
  ['spec.internalTrafficPolicy', 'Local', 'local', 'is "local": give Cluster or Local'],
  ['spec.sessionAffinity', 'ClientIP', 'client', 'is "client": give None or ClientIP'],
  mapRow('spec.sessionAffinityConfig'),
  mapRow('spec.sessionAffinityConfig.clientIP'),
  ['spec.sessionAffinityConfig.clientIP.timeoutSeconds', 10, 86_401, 'is 86401: give a whole number from 0 to 86400'],
  listRow('spec.loadBalancerSourceRanges'),
  textRow('spec.loadBalancerSourceRanges[]'),
  portRow('spec.healthCheckNodePort', 0),
  textRow('status.loadBalancer.ingress[].ipMode'),
];

const podDnsRows: readonly Row[] = [
  boolRow('spec.hostNetwork'),
  textRow('spec.dnsPolicy'),
  mapRow('spec.dnsConfig'),
  listRow('spec.dnsConfig.nameservers'),
  textRow('spec.dnsConfig.nameservers[]'),
  listRow('spec.dnsConfig.searches'),
  textRow('spec.dnsConfig.searches[]'),
  listRow('spec.dnsConfig.options'),
  itemRow('spec.dnsConfig.options[]', {}),
  textRow('spec.dnsConfig.options[].name'),
  textRow('spec.dnsConfig.options[].value'),
  listRow('spec.hostAliases'),
  itemRow('spec.hostAliases[]', {}),
  addressRow('spec.hostAliases[].ip'),
  listRow('spec.hostAliases[].hostnames'),
  textRow('spec.hostAliases[].hostnames[]'),
];

const countRow = (path: string): Row => [path, 3, -1, 'is -1: give a whole number from 0 to 9007199254740991'];

const createTemplateRows = (path: string): readonly Row[] => [
  mapRow(path),
  mapRow(`${path}.metadata`),
  mapRow(`${path}.metadata.labels`),
  textRow(`${path}.metadata.labels{}`),
  mapRow(`${path}.spec`),
  ...createContainerRows(`${path}.spec.containers`),
  ...createContainerRows(`${path}.spec.initContainers`),
];

const relatedRows: readonly Row[] = [...metadataRows, mapRow('spec'), mapRow('status'), listRow('metadata.ownerReferences')];
const workloadRows: readonly Row[] = [
  ...relatedRows,
  ['spec.replicas', 0, -1, 'is -1: give a whole number from 0 to 2147483647'],
  ...createTemplateRows('spec.template'),
  countRow('status.desiredNumberScheduled'),
  ...conditionRows,
];
const relatedTables = Object.fromEntries(relatedKindNames.map((kind) => [kind, relatedRows])) as Record<RelatedKind, readonly Row[]>;

const tables: Readonly<Record<Kind, readonly Row[]>> = {
  ...relatedTables,
  ...(Object.fromEntries(workloadKinds.map((kind) => [kind, workloadRows])) as Record<WorkloadKind, readonly Row[]>),
  CronJob: [
    ...relatedRows,
    mapRow('spec.jobTemplate'),
    mapRow('spec.jobTemplate.spec'),
    ...createTemplateRows('spec.jobTemplate.spec.template'),
  ],
  Service: [
    ...metadataRows,
    mapRow('spec'),
    ['spec.type', 'NodePort', 'None', 'is "None": give ClusterIP, NodePort, LoadBalancer or ExternalName'],
    mapRow('spec.selector'),
    textRow('spec.selector{}'),
    clusterAddressRow('spec.clusterIP'),
    listRow('spec.ipFamilies'),
    ['spec.ipFamilies[]', 'IPv6', 'ipv6', 'is "ipv6": give IPv4 or IPv6'],
    ['spec.ipFamilyPolicy', 'PreferDualStack', 'DualStack', 'is "DualStack": give SingleStack, PreferDualStack or RequireDualStack'],
    textRow('spec.trafficDistribution'),
    boolRow('spec.publishNotReadyAddresses'),
    listRow('spec.ports'),
    itemRow('spec.ports[]', { port: 1 }),
    textRow('spec.ports[].name'),
    portRow('spec.ports[].port', 1),
    protocolRow('spec.ports[].protocol'),
    ['spec.ports[].targetPort', 'http', -1, "is -1: give a whole number from 0 to 65535, or the name of a container's port"],
    textRow('spec.ports[].appProtocol'),
    ...loadBalancerRows,
    ...networkRows,
  ],
  Pod: [
    ...metadataRows,
    mapRow('spec'),
    ...createContainerRows('spec.containers'),
    ...createContainerRows('spec.initContainers'),
    ['spec.restartPolicy', 'OnFailure', 'onfailure', 'is "onfailure": give Always, OnFailure or Never'],
    textRow('spec.nodeName'),
    textRow('spec.hostname'),
    textRow('spec.subdomain'),
    listRow('spec.readinessGates'),
    itemRow('spec.readinessGates[]', {}),
    textRow('spec.readinessGates[].conditionType'),
    mapRow('status'),
    ['status.phase', 'Unknown', 'Done', 'is "Done": give Pending, Running, Succeeded, Failed or Unknown'],
    addressRow('status.podIP'),
    listRow('status.podIPs'),
    itemRow('status.podIPs[]', {}),
    addressRow('status.podIPs[].ip'),
    ...conditionRows,
    ...createContainerStatusRows('status.containerStatuses'),
    ...createContainerStatusRows('status.initContainerStatuses'),
    ...podDnsRows,
  ],
  Node: [
    ...metadataRows,
    mapRow('spec'),
    textRow('spec.providerID'),
    boolRow('spec.unschedulable'),
    listRow('spec.taints'),
    itemRow('spec.taints[]', {}),
    textRow('spec.taints[].key'),
    textRow('spec.taints[].effect'),
    mapRow('status'),
    ...conditionRows,
    mapRow('status.allocatable'),
    ['status.allocatable{}', 4, true, 'is true: give a quantity such as "500m"'],
    textRow('spec.podCIDR'),
    listRow('spec.podCIDRs'),
    textRow('spec.podCIDRs[]'),
    listRow('status.addresses'),
    itemRow('status.addresses[]', {}),
    textRow('status.addresses[].type'),
    textRow('status.addresses[].address'),
  ],
  Namespace: [...metadataRows, mapRow('status'), textRow('status.phase')],
  ServiceCIDR: [...metadataRows, mapRow('spec'), listRow('spec.cidrs'), textRow('spec.cidrs[]')],
  Endpoints: [
    ...metadataRows,
    listRow('subsets'),
    itemRow('subsets[]', {}),
    ...createEndpointAddressRows('subsets[].addresses'),
    ...createEndpointAddressRows('subsets[].notReadyAddresses'),
    listRow('subsets[].ports'),
    itemRow('subsets[].ports[]', { port: 1 }),
    textRow('subsets[].ports[].name'),
    portRow('subsets[].ports[].port', 0),
    protocolRow('subsets[].ports[].protocol'),
    textRow('subsets[].ports[].appProtocol'),
  ],
  EndpointSlice: [
    ...metadataRows,
    listRow('metadata.ownerReferences'),
    itemRow('metadata.ownerReferences[]', {}),
    textRow('metadata.ownerReferences[].apiVersion'),
    textRow('metadata.ownerReferences[].kind'),
    textRow('metadata.ownerReferences[].name'),
    textRow('metadata.ownerReferences[].uid'),
    ['addressType', 'FQDN', 'ipv4', 'is "ipv4": give IPv4, IPv6 or FQDN'],
    listRow('endpoints'),
    itemRow('endpoints[]', {}),
    listRow('endpoints[].addresses'),
    textRow('endpoints[].addresses[]'),
    mapRow('endpoints[].conditions'),
    boolRow('endpoints[].conditions.ready'),
    boolRow('endpoints[].conditions.serving'),
    boolRow('endpoints[].conditions.terminating'),
    textRow('endpoints[].hostname'),
    mapRow('endpoints[].targetRef'),
    textRow('endpoints[].targetRef{}'),
    textRow('endpoints[].nodeName'),
    textRow('endpoints[].zone'),
    mapRow('endpoints[].topology'),
    textRow('endpoints[].topology{}'),
    mapRow('endpoints[].hints'),
    ...createNameRows('endpoints[].hints.forZones'),
    ...createNameRows('endpoints[].hints.forNodes'),
    listRow('ports'),
    itemRow('ports[]', {}),
    textRow('ports[].name'),
    portRow('ports[].port', 0),
    protocolRow('ports[].protocol'),
    textRow('ports[].appProtocol'),
  ],
  Event: [
    ...metadataRows,
    mapRow('involvedObject'),
    textRow('involvedObject{}'),
    textRow('type'),
    textRow('reason'),
    textRow('message'),
    countRow('count'),
    timeRow('firstTimestamp'),
    timeRow('lastTimestamp'),
    timeRow('eventTime'),
    mapRow('series'),
    countRow('series.count'),
    timeRow('series.lastObservedTime'),
  ],
};

/** The required fields of a parent, by its path. */
const requiredFields: Readonly<Record<string, Record<string, unknown>>> = {
  metadata: { name: 'x' },
  'spec.ports[]': { port: 1 },
  'subsets[].addresses[]': { ip: '10.0.0.1' },
  'subsets[].notReadyAddresses[]': { ip: '10.0.0.1' },
  'subsets[].ports[]': { port: 1 },
};

/** Builds an object with one field set, and returns it with the concrete path of the field. */
function objectWith(rulePath: string, value: unknown): { readonly object: unknown; readonly path: string } {
  const steps = rulePath.match(/\[\]|\{\}|[^.[\]{}]+/g) ?? [];
  const build = (index: number, prefix: string): unknown => {
    const step = steps[index];
    if (step === undefined) return value;
    if (step === '[]') return [build(index + 1, `${prefix}[]`)];
    const next = step === '{}' ? `${prefix}{}` : prefix === '' ? step : `${prefix}.${step}`;
    const root = { ...(step !== 'metadata' && { metadata: { name: 'x' } }), ...(step !== 'addressType' && { addressType: 'IPv4' }) };
    const base = index === 0 ? root : requiredFields[prefix];
    return { ...base, [step === '{}' ? 'key' : step]: build(index + 1, next) };
  };
  return { object: build(0, ''), path: rulePath.replaceAll('[]', '[0]').replaceAll('{}', '.key') };
}

const messagesFor = (kind: Kind, object: unknown): string[] => validate(kind, object).map(({ message }) => message);

describe.each(Object.entries(tables) as [Kind, readonly Row[]][])('the rules of %s', (kind, table) => {
  test('each have a row in the table', () => {
    expect(rules[kind].map(({ path }) => path)).toEqual(table.map(([path]) => path));
  });

  test.each(table)('accept a valid and refuse an invalid %s', (rule, good, bad, message) => {
    expect(messagesFor(kind, objectWith(rule, good).object)).toEqual([]);
    const { object, path } = objectWith(rule, bad);
    expect(messagesFor(kind, object)[0]).toBe(`${path} ${message}`);
  });

  test.each(rules[kind].map(({ path, required }) => [path, required === true] as const))(
    'accept a missing or null %s only if it is optional',
    (rule, required) => {
      const isElement = /(?:\[\]|\{\})$/.test(rule);
      const { object, path } = objectWith(rule, undefined);
      const missing = messagesFor(kind, object).filter((message) => message.startsWith(`${path} is missing: give `));
      expect(missing).toHaveLength(required || isElement ? 1 : 0);
      const nulls = messagesFor(kind, objectWith(rule, null).object).filter((message) => message.startsWith(`${path} is null: give `));
      expect(nulls).toHaveLength(required || isElement ? 1 : 0);
    },
  );
});

test.each([
  ['Service', 'spec.ports[].port', 0],
  ['Pod', 'spec.containers[].ports[].containerPort', -1],
  ['Endpoints', 'subsets[].ports[].port', -1],
  ['EndpointSlice', 'ports[].port', -1],
] as const)('%s: %s refuses a number below its minimum', (kind, rule, below) => {
  expect(messagesFor(kind, objectWith(rule, below + 1).object)).toEqual([]);
  expect(messagesFor(kind, objectWith(rule, below).object)).toHaveLength(1);
});
