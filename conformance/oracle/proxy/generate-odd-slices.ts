import type { EndpointInput, EndpointSliceInput } from 'kube-endpoints/types';
import type { Random } from '../random.ts';

type OddSlice = (random: Random, slice: EndpointSliceInput) => EndpointSliceInput;
type Ports = NonNullable<EndpointSliceInput['ports']>;

const changePorts =
  (change: (random: Random, ports: Ports) => Ports | null): OddSlice =>
  (random, slice) => ({ ...slice, ports: change(random, slice.ports ?? []) });

/** Changes some of the endpoints. */
const changeEndpoints =
  (change: (random: Random, endpoint: EndpointInput) => EndpointInput): OddSlice =>
  (random, slice) => {
    const probability = random.pick([0.3, 0.6, 1]);
    return { ...slice, endpoints: (slice.endpoints ?? []).map((each) => (random.chance(probability) ? change(random, each) : each)) };
  };

const randomFlag = (random: Random): boolean | null | undefined => random.pick([true, false, null, undefined]);

/** Changes that make slices of a Service contradictory, unusual or empty. Repeated entries are picked more often. */
export const oddSlices: readonly OddSlice[] = [
  changePorts((random, ports) => ports.map((port) => ({ ...port, port: random.pick([8080, 9090, 1, 65_535]) }))),
  changePorts((random, ports) => ports.map((port) => ({ ...port, name: random.pick(['p0', 'p1', '', 'other', null]) }))),
  changePorts((random, ports) => ports.map((port) => ({ ...port, protocol: random.pick(['TCP', 'UDP', 'SCTP']) }))),
  changePorts((random, ports) => [...ports, ...ports.map((port) => ({ ...port, port: random.pick([8080, 8081, 9091]) }))]),
  changePorts((random) => random.pick([[], null])),
  changePorts((random, ports) => ports.map((port) => ({ ...port, port: random.pick([0, null, 8080]) }))),
  (random, slice) => ({ ...slice, endpoints: random.pick([[], null]) }),
  (random, slice) => ({ ...slice, endpoints: withDuplicates(random, slice.endpoints ?? []) }),
  changeEndpoints((random, endpoint) => ({
    ...endpoint,
    addresses: (endpoint.addresses ?? []).map((address) => rewriteAddress(random, address)),
  })),
  changeEndpoints((random, endpoint) => ({
    ...endpoint,
    addresses: random.pick([[], null, undefined, [...(endpoint.addresses ?? []), '10.9.9.9']]),
  })),
  changeEndpoints((random, endpoint) => ({ ...endpoint, conditions: random.pick([null, undefined, {}]) })),
  changeEndpoints((random, endpoint) => ({
    ...endpoint,
    conditions: { ready: randomFlag(random), serving: randomFlag(random), terminating: randomFlag(random) },
  })),
  changeEndpoints((_, endpoint) => ({ ...endpoint, conditions: { ready: false, serving: true, terminating: true } })),
  changeEndpoints((_, endpoint) => ({ ...endpoint, conditions: { ready: false, serving: true, terminating: false } })),
  changeEndpoints((random, endpoint) => ({ ...endpoint, nodeName: random.pick([null, undefined, '', 'n0', 'n9', 'N0']) })),
  changeEndpoints((random, endpoint) => ({
    ...endpoint,
    ...(random.chance(0.7) && { nodeName: undefined }),
    deprecatedTopology: random.pick([null, {}, { 'kubernetes.io/hostname': 'n0' }, { 'topology.kubernetes.io/region': 'z0' }]),
  })),
  changeEndpoints((random, endpoint) => ({ ...endpoint, hints: oddHints(random) })),
  changeEndpoints((random, endpoint) => ({ ...endpoint, hints: oddHints(random) })),
  (random, { metadata, ...slice }) => ({
    ...slice,
    metadata: {
      ...metadata,
      labels: random.pick([null, {}, { 'kubernetes.io/service-name': '' }, { 'kubernetes.io/service-name': 'ghost' }]),
    },
  }),
  (random, slice) => ({ ...slice, addressType: random.pick(['IPv4', 'IPv6', 'FQDN', '', 'ipv4', 'IP']) }),
  (random, { metadata, ...slice }) => ({
    ...slice,
    metadata: { ...metadata, ...random.pick([{ namespace: '' }, { name: '' }, { namespace: 'other' }]) },
  }),
];

/**
 * Adds duplicates of addresses in random order, because kube-proxy processes the endpoints of a slice in order. Before 1.31 it sorts them,
 * and Go's sort is stable only for 12 or fewer.
 */
function withDuplicates(random: Random, endpoints: readonly EndpointInput[]): readonly EndpointInput[] {
  const duplicate = (endpoint: EndpointInput): EndpointInput => ({
    ...endpoint,
    conditions: { ready: randomFlag(random), serving: randomFlag(random), terminating: randomFlag(random) },
    nodeName: random.pick(['n0', 'n1', 'n2']),
  });
  return random.shuffle([...endpoints, ...endpoints.filter(() => random.chance(0.5)).map(duplicate)]).slice(0, 12);
}

/** Rewrites an address in a different notation. */
export function rewriteAddress(random: Random, address: string): string {
  if (!address.includes(':')) {
    const padded = address.split('.').map((octet) => octet.padStart(3, '0'));
    return random.pick([padded.join('.'), `::ffff:${address}`, `0:0:0:0:0:FFFF:${address}`, address.replace(/\d+$/, '0000$&')]);
  }
  const longer = address.startsWith('::') ? `0${address}` : address.replace('::', ':0::');
  return random.pick([address.toUpperCase(), longer, address.replace(/[^:]+$/, (group) => group.padStart(4, '0'))]);
}

type Hints = EndpointInput['hints'];

const zones: readonly string[] = ['z0', 'z1', 'z2', 'z9', '', 'Z0'];
const nodes: readonly string[] = ['n0', 'n1', 'n2', 'n9', ''];

function oddHints(random: Random): Hints {
  const drawNames = (names: readonly string[]): { name: string }[] | null => {
    const list = random.shuffle(names).slice(0, random.int(4));
    return random.chance(0.1) ? null : [...list, ...list.slice(0, random.int(2))].map((name) => ({ name }));
  };
  return random.pick<Hints>([
    null,
    undefined,
    {},
    { forZones: drawNames(zones) },
    { forNodes: drawNames(nodes) },
    { forZones: drawNames(zones), forNodes: drawNames(nodes) },
  ]);
}
