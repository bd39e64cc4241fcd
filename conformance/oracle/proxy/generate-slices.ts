import type { ProxyService } from 'kube-endpoints/proxy';
import type { EndpointInput, EndpointSliceInput } from 'kube-endpoints/types';
import type { Random } from '../random.ts';

export interface NodeLocation {
  readonly node: string;
  readonly zone: string;
}

/** The properties shared by a Service's endpoints. */
interface EndpointStyle {
  readonly states: readonly (keyof typeof conditions)[];
  readonly hints: 'none' | 'zones' | 'nodes' | 'both' | 'some';
  /** The nodes that endpoints may be on. */
  readonly hosts: readonly NodeLocation[];
  /** The node whose kube-proxy is compared. */
  readonly self: NodeLocation;
}

/** @param countPerFamily number of endpoints per family; random if absent */
export function makeSlices(
  random: Random,
  service: ProxyService,
  id: number,
  hosts: readonly NodeLocation[],
  self: NodeLocation,
  countPerFamily: number | undefined,
): EndpointSliceInput[] {
  const style: EndpointStyle = {
    states: random.pick(stateMixes),
    hints: random.pick(['none', 'none', 'zones', 'zones', 'nodes', 'both', 'some'] as const),
    hosts: random.chance(0.15) ? hosts.filter(({ node }) => node !== self.node) : hosts,
    self,
  };
  const families = random.chance(0.9) ? (service.spec?.ipFamilies ?? ['IPv4']) : ['IPv4', 'IPv6'];
  return families.flatMap((family) => {
    const count = countPerFamily ?? random.pick([0, 1, 2, 3, 4, 6, 9]);
    const addresses = random.shuffle(Array.from({ length: Math.max(count, 60) }, (_, number) => makeAddress(family, id, number)));
    const endpoints = addresses.slice(0, count).map((address) => makeEndpoint(random, address, style));
    return splitEndpoints(random, addTerminating(random, endpoints, style)).map((part, number) => ({
      metadata: {
        name: `s${id}-${family}-${number}`.toLowerCase(),
        namespace: service.metadata?.namespace ?? '',
        labels: random.chance(0.98) ? { 'kubernetes.io/service-name': `s${id}` } : {},
      },
      addressType: random.chance(0.99) ? family : 'FQDN',
      ports: makePorts(random, service),
      endpoints: part,
    }));
  });
}

/** Creates an address. Services whose IDs have the same parity share addresses. */
const makeAddress = (family: string, id: number, number: number): string =>
  family === 'IPv4'
    ? `10.${number % 2}.${2 * Math.floor(number / 250) + (id % 2)}.${(number % 250) + 1}`
    : `fd00:10::${id % 2}:${(number + 1).toString(16)}`;

const conditions = {
  ready: { ready: true, serving: true, terminating: false },
  notReady: { ready: false, serving: false, terminating: false },
  draining: { ready: false, serving: true, terminating: true },
  dead: { ready: false, serving: false, terminating: true },
  published: { ready: true, serving: false, terminating: false },
  publishedDying: { ready: true, serving: true, terminating: true },
  odd: { ready: true, serving: false, terminating: true },
  unknown: {},
  onlyReady: { ready: true },
  onlyNotReady: { ready: false },
  onlyDraining: { serving: true, terminating: true },
} as const;

const everyState = Object.keys(conditions) as (keyof typeof conditions)[];

/** Endpoints that are all ready, all terminating, all not ready, or mixed. */
const stateMixes: readonly (readonly (keyof typeof conditions)[])[] = [
  ['ready'],
  ['ready', 'ready', 'ready', 'notReady', 'draining'],
  ['draining', 'dead', 'draining'],
  ['notReady', 'draining'],
  ['notReady', 'dead'],
  everyState,
  everyState,
];

function makeEndpoint(random: Random, address: string, { states, hints, hosts, self }: EndpointStyle): EndpointInput {
  const host = random.pick(hosts.length > 0 ? hosts : [self]);
  const hint = hints === 'some' ? random.pick(['none', 'zones', 'both'] as const) : hints;
  const zones = [{ name: random.pick([host.zone, host.zone, self.zone, 'z9']) }, ...(random.chance(0.1) ? [{ name: self.zone }] : [])];
  const nodes = [{ name: random.pick([host.node, self.node]) }];
  return {
    addresses: random.chance(0.97) ? [address] : [address, '10.9.9.9'],
    conditions: conditions[random.pick(states)],
    ...(random.chance(0.95) && { nodeName: host.node, ...(random.chance(0.9) && { zone: host.zone }) }),
    ...(hint !== 'none' && { hints: { ...(hint !== 'nodes' && { forZones: zones }), ...(hint !== 'zones' && { forNodes: nodes }) } }),
  };
}

/**
 * Sometimes adds a terminating endpoint with the address of another endpoint, which then wins. Two endpoints that are not terminating never
 * share an address, because the result would be random.
 */
function addTerminating(random: Random, endpoints: readonly EndpointInput[], { hosts, self }: EndpointStyle): readonly EndpointInput[] {
  const alive = endpoints.filter((endpoint) => endpoint.conditions?.terminating !== true);
  // Before 1.31, kube-proxy sorts the endpoints of a slice, and Go's sort is stable only for 12 or fewer.
  if (alive.length === 0 || random.chance(0.92) || endpoints.length >= 12) return endpoints;
  const host = random.pick(hosts.length > 0 ? hosts : [self]);
  const terminating = {
    ...(random.pick(alive) as EndpointInput),
    conditions: random.pick([conditions.draining, conditions.dead]),
    nodeName: host.node,
  };
  return random.shuffle([...endpoints, terminating]);
}

function splitEndpoints(random: Random, endpoints: readonly EndpointInput[]): (readonly EndpointInput[])[] {
  const middle = Math.floor(endpoints.length / 2);
  if (endpoints.length < 3 || random.chance(0.6)) return [endpoints];
  return [endpoints.slice(0, middle + (random.chance(0.3) ? 1 : 0)), endpoints.slice(middle)];
}

/** Sets the defaults of the API server, because kube-proxy panics if a port has no name or protocol. */
const makePorts = (random: Random, service: ProxyService): NonNullable<EndpointSliceInput['ports']> =>
  (service.spec?.ports ?? [])
    .filter(() => random.chance(0.97))
    .map(({ name, protocol }) => ({
      name: name ?? '',
      protocol: protocol ?? 'TCP',
      ...(random.chance(0.99) && { port: 8080 + random.int(2) }),
    }));
