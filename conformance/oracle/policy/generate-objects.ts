import type { Container, Pod } from 'kube-endpoints/types';
import type { Random } from '../random.ts';
import type { PolicyWorld } from './case.ts';

type ContainerPort = NonNullable<Container['ports']>[number];
type Node = PolicyWorld['nodes'][number];

const namespaceNames: readonly string[] = ['shop', 'data', 'ops'];
/** Weighted, so that policies and pods meet. */
export const podNamespaceNames: readonly string[] = ['shop', 'shop', 'shop', 'data', 'data', 'ops'];
export const portNames: readonly string[] = ['http', 'web', 'dns', 'metrics'];
export const portNumbers: readonly number[] = [80, 81, 8080, 53, 9090, 443];
export const protocols: readonly string[] = ['TCP', 'UDP', 'SCTP'];
const labelKeys: readonly string[] = ['app', 'role', 'tier'];
const labelValues: readonly string[] = ['a', 'a', 'b', ''];

/** Addresses that no pod has: outside the cluster, unused, and those of the nodes. */
export const otherAddresses: readonly string[] = [
  '192.0.2.10',
  '10.0.0.200',
  '8.8.8.8',
  '2001:db8::1',
  'fd00::ffff',
  '192.168.0.1',
  '192.168.0.2',
  'fd00:1::1',
];

export const makeLabels = (random: Random): Record<string, string> =>
  Object.fromEntries(labelKeys.filter(() => random.chance(0.5)).map((key) => [key, random.pick(labelValues)]));

export function makeSelector(random: Random): Record<string, unknown> {
  if (random.chance(0.4)) return random.chance(0.3) ? { matchLabels: {}, matchExpressions: [] } : {};
  return {
    ...random.maybe(0.5, () => ({ matchLabels: { [random.pick(labelKeys)]: random.pick(labelValues) } })),
    ...random.maybe(0.5, () => ({ matchExpressions: Array.from({ length: random.pick([1, 1, 1, 2]) }, () => makeRequirement(random)) })),
  };
}

/** A selector of namespaces, which may use the label with their name. */
export function makeNamespaceSelector(random: Random): Record<string, unknown> {
  if (random.chance(0.6)) return makeSelector(random);
  const key = 'kubernetes.io/metadata.name';
  if (random.chance(0.5)) return { matchLabels: { [key]: random.pick(namespaceNames) } };
  return { matchExpressions: [{ key, operator: random.pick(['In', 'NotIn']), values: [random.pick(namespaceNames), 'other'] }] };
}

function makeRequirement(random: Random): Record<string, unknown> {
  const operator = random.pick(['In', 'NotIn', 'Exists', 'DoesNotExist']);
  const key = random.pick(labelKeys);
  if (operator === 'Exists' || operator === 'DoesNotExist') return { key, operator };
  return { key, operator, values: Array.from({ length: 1 + random.int(2) }, () => random.pick(labelValues)) };
}

export const makeNamespaces = (random: Random): PolicyWorld['namespaces'] =>
  namespaceNames.map((name) => ({ metadata: { name, ...random.maybe(0.8, () => ({ labels: makeLabels(random) })) } }));

export const makeNodes = (random: Random): Node[] =>
  ['n1', 'n2'].map((name, i) => ({
    metadata: { name, labels: makeLabels(random) },
    status: { addresses: [{ address: `192.168.0.${i + 1}` }, { address: `fd00:1::${i + 1}` }, { address: name }] },
  }));

export const makePods = (random: Random): Pod[] => Array.from({ length: 2 + random.int(4) }, (_, i) => makePod(random, i));

function makePod(random: Random, i: number): Pod {
  const node = 1 + random.int(2);
  const hostNetwork = random.chance(0.06);
  const host = [`192.168.0.${node}`, `fd00:1::${node}`];
  const own = [`10.0.${random.int(2)}.${i + 1}`, `fd00::${i + 1}`];
  const families = random.pick([[0], [0], [0, 1], [0, 1], [0, 1], [1, 0], [1, 0], [1], random.pick([[], [0]])]);
  const ips = (hostNetwork ? [0, 1] : families).map((family) => ({ ip: (hostNetwork ? host : own)[family] as string }));
  return {
    metadata: { namespace: random.pick(podNamespaceNames), name: `p${i}`, ...random.maybe(0.85, () => ({ labels: makeLabels(random) })) },
    spec: {
      nodeName: `n${node}`,
      ...(hostNetwork && { hostNetwork }),
      containers: Array.from({ length: 1 + random.int(2) }, (_, j) => makeContainer(random, `c${j}`)),
      ...random.maybe(0.12, () => ({
        initContainers: [{ ...makeContainer(random, 'init'), ...random.maybe(0.7, () => ({ restartPolicy: 'Always' })) }],
      })),
    },
    status: {
      phase: 'Running',
      hostIP: host[0] as string,
      hostIPs: host.map((ip) => ({ ip })),
      podIPs: ips,
      ...(ips[0] && { podIP: ips[0].ip }),
    },
  };
}

const makeContainer = (random: Random, name: string): Container => ({
  name,
  ...random.maybe(0.85, () => ({ ports: Array.from({ length: random.int(4) }, () => makeContainerPort(random)) })),
});

const makeContainerPort = (random: Random): ContainerPort => ({
  containerPort: random.pick(portNumbers),
  ...random.maybe(0.75, () => ({ name: random.pick(portNames) })),
  ...random.maybe(0.8, () => ({ protocol: random.pick(['TCP', 'TCP', ...protocols]) })),
});
