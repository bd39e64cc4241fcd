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
  readonly places: readonly NodeLocation[];
  readonly here: NodeLocation;
}

/** @param crowd number of endpoints per family; random if absent */
export function slicesOf(
  random: Random,
  service: ProxyService,
  at: number,
  places: readonly NodeLocation[],
  here: NodeLocation,
  crowd: number | undefined,
): EndpointSliceInput[] {
  const manner: EndpointStyle = {
    states: random.pick(stateMixes),
    hints: random.pick(['none', 'none', 'zones', 'zones', 'nodes', 'both', 'some'] as const),
    places: random.chance(0.15) ? places.filter(({ node }) => node !== here.node) : places,
    here,
  };
  const families = random.chance(0.9) ? (service.spec?.ipFamilies ?? ['IPv4']) : ['IPv4', 'IPv6'];
  return families.flatMap((family) => {
    const count = crowd ?? random.pick([0, 1, 2, 3, 4, 6, 9]);
    const addresses = random.shuffled(Array.from({ length: Math.max(count, 60) }, (_, number) => addressOf(family, at, number)));
    const endpoints = addresses.slice(0, count).map((address) => endpointOf(random, address, manner));
    return inSlices(random, withTerminating(random, endpoints, manner)).map((part, number) => ({
      metadata: {
        name: `s${at}-${family}-${number}`.toLowerCase(),
        namespace: service.metadata?.namespace ?? '',
        labels: random.chance(0.98) ? { 'kubernetes.io/service-name': `s${at}` } : {},
      },
      addressType: random.chance(0.99) ? family : 'FQDN',
      ports: portsOf(random, service),
      endpoints: part,
    }));
  });
}

/** Two Services of the same family share some addresses. */
const addressOf = (family: string, at: number, number: number): string =>
  family === 'IPv4'
    ? `10.${number % 2}.${2 * Math.floor(number / 250) + (at % 2)}.${(number % 250) + 1}`
    : `fd00:10::${at % 2}:${(number + 1).toString(16)}`;

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

function endpointOf(random: Random, address: string, { states, hints, places, here }: EndpointStyle): EndpointInput {
  const place = random.pick(places.length > 0 ? places : [here]);
  const hint = hints === 'some' ? random.pick(['none', 'zones', 'both'] as const) : hints;
  const zones = [{ name: random.pick([place.zone, place.zone, here.zone, 'z9']) }, ...(random.chance(0.1) ? [{ name: here.zone }] : [])];
  const nodes = [{ name: random.pick([place.node, here.node]) }];
  return {
    addresses: random.chance(0.97) ? [address] : [address, '10.9.9.9'],
    conditions: conditions[random.pick(states)],
    ...(random.chance(0.95) && { nodeName: place.node, ...(random.chance(0.9) && { zone: place.zone }) }),
    ...(hint !== 'none' && { hints: { ...(hint !== 'nodes' && { forZones: zones }), ...(hint !== 'zones' && { forNodes: nodes }) } }),
  };
}

/**
 * If an address occurs twice, the endpoint that is not terminating wins; between two that are not terminating, the result would be random.
 */
function withTerminating(random: Random, endpoints: readonly EndpointInput[], { places, here }: EndpointStyle): readonly EndpointInput[] {
  const living = endpoints.filter((endpoint) => endpoint.conditions?.terminating !== true);
  if (living.length === 0 || random.chance(0.92)) return endpoints;
  const place = random.pick(places.length > 0 ? places : [here]);
  const dying = {
    ...(random.pick(living) as EndpointInput),
    conditions: random.pick([conditions.draining, conditions.dead]),
    nodeName: place.node,
  };
  return random.shuffled([...endpoints, dying]);
}

function inSlices(random: Random, endpoints: readonly EndpointInput[]): (readonly EndpointInput[])[] {
  const middle = Math.floor(endpoints.length / 2);
  if (endpoints.length < 3 || random.chance(0.6)) return [endpoints];
  return [endpoints.slice(0, middle + (random.chance(0.3) ? 1 : 0)), endpoints.slice(middle)];
}

/** With the API server's defaults: kube-proxy panics if a port has no name or protocol. */
const portsOf = (random: Random, service: ProxyService): NonNullable<EndpointSliceInput['ports']> =>
  (service.spec?.ports ?? [])
    .filter(() => random.chance(0.97))
    .map(({ name, protocol }) => ({
      name: name ?? '',
      protocol: protocol ?? 'TCP',
      ...(random.chance(0.99) && { port: 8080 + random.int(2) }),
    }));
