import { serviceNameLabel } from 'kube-endpoints/internal';
import type { ProxyService } from 'kube-endpoints/proxy';
import type {
  EndpointAddressInput,
  EndpointPortInput,
  EndpointSliceInput,
  EndpointSubsetInput,
  EndpointsInput,
} from 'kube-endpoints/types';
import { keepFirstPerName } from '../objects.ts';
import type { Random } from '../random.ts';
import type { ProxyWorld } from './case.ts';
import { rewriteAddress } from './generate-odd-slices.ts';

/** Adds Endpoints of most Services. A third of them have the endpoints of the slices, the others are unrelated to these. */
export function withEndpoints(random: Random, world: ProxyWorld): ProxyWorld {
  const usual = world.services.flatMap((service) => random.maybe(0.95, () => makeEndpoints(random, service, world)) ?? []);
  if (random.chance(0.5)) return { ...world, endpoints: random.shuffle(usual) };
  const isRefused = random.chance(0.2);
  const change = random.pick(isRefused ? wildChanges : oddChanges);
  const endpoints = usual.map((each) => (random.chance(0.7) ? change(random, each) : each));
  return { ...world, endpoints: keepFirstPerName(random.shuffle(endpoints)), ...(isRefused && { rules: [] }) };
}

function makeEndpoints(random: Random, service: ProxyService, world: ProxyWorld): EndpointsInput {
  const { name = '', namespace = '' } = service.metadata ?? {};
  const slices = world.endpointSlices.filter(({ metadata }) => metadata?.labels?.[serviceNameLabel] === name);
  const isMatching = slices.length > 0 && random.chance(0.35);
  return {
    metadata: { name, namespace },
    subsets: isMatching
      ? slices.map(toSubset)
      : Array.from({ length: random.pick([0, 1, 1, 1, 2, 3]) }, () => makeSubset(random, service, world)),
  };
}

function toSubset({ ports, endpoints }: EndpointSliceInput): EndpointSubsetInput {
  const addressesIf = (isReady: boolean): readonly EndpointAddressInput[] =>
    (endpoints ?? [])
      .filter(({ conditions }) => (conditions?.ready ?? true) === isReady)
      .flatMap(({ addresses, nodeName }) => (addresses?.[0] ? [{ ip: addresses[0], ...(nodeName !== '' && { nodeName }) }] : []));
  return { addresses: addressesIf(true), notReadyAddresses: addressesIf(false), ports: (ports ?? []).map(withProtocol) };
}

/** Adds the protocol, for which an API server sets a default. */
const withProtocol = ({ name, port, protocol }: EndpointPortInput): EndpointPortInput => ({
  ...(name && { name }),
  port: port ?? 0,
  protocol: protocol ?? 'TCP',
});

function makeSubset(random: Random, { spec }: ProxyService, { nodeName }: ProxyWorld): EndpointSubsetInput {
  const family = random.pick(random.chance(0.8) ? (spec?.ipFamilies ?? ['IPv4']) : ['IPv4', 'IPv6']);
  const makeAddress = (): EndpointAddressInput => {
    const number = random.int(250) + 1;
    return {
      ip: family === 'IPv6' ? `fd00:10::${number.toString(16)}` : `10.1.2.${number}`,
      ...random.maybe(0.9, () => ({ nodeName: random.pick([nodeName || 'n0', 'n0', 'n1', 'n2']) })),
    };
  };
  const makeAddresses = (counts: readonly number[]): EndpointAddressInput[] => Array.from({ length: random.pick(counts) }, makeAddress);
  return {
    addresses: makeAddresses([0, 1, 2, 3, 6, 9]),
    notReadyAddresses: makeAddresses([0, 0, 1, 3]),
    ports: (spec?.ports ?? [])
      .filter(() => random.chance(0.97))
      .map(({ name, protocol }) => withProtocol({ name, protocol, port: 8080 + random.int(2) })),
  };
}

type Change = (random: Random, endpoints: EndpointsInput) => EndpointsInput;

const changeSubsets =
  (change: (random: Random, subset: EndpointSubsetInput) => EndpointSubsetInput): Change =>
  (random, endpoints) => ({ ...endpoints, subsets: (endpoints.subsets ?? []).map((subset) => change(random, subset)) });

const changeAddresses = (change: (random: Random, address: EndpointAddressInput) => EndpointAddressInput): Change =>
  changeSubsets((random, subset) => ({
    ...subset,
    addresses: (subset.addresses ?? []).map((address) => (random.chance(0.4) ? change(random, address) : address)),
  }));

const changePorts = (change: (random: Random, port: EndpointPortInput) => EndpointPortInput): Change =>
  changeSubsets((random, subset) => ({ ...subset, ports: (subset.ports ?? []).map((port) => change(random, port)) }));

const oddChanges: readonly Change[] = [
  changeSubsets((random, subset) => ({
    ...subset,
    addresses: random.shuffle([...(subset.addresses ?? []), ...(subset.addresses ?? []).filter(() => random.chance(0.5))]),
  })),
  (random, endpoints) => ({ ...endpoints, subsets: random.shuffle([...(endpoints.subsets ?? []), ...(endpoints.subsets ?? [])]) }),
  changeSubsets((random, subset) => ({
    ...subset,
    ports: (subset.ports ?? []).flatMap((port) => [port, { ...port, port: random.pick([8080, 8081, 9091]) }]),
  })),
  (random, endpoints) => ({ ...endpoints, subsets: random.pick([null, [], [{}]]) }),
  changeSubsets((random, subset) => ({ ...subset, ...random.pick([{ addresses: null }, { notReadyAddresses: null }, { ports: null }]) })),
  changeAddresses((random, { nodeName }) => ({ ip: random.pick(['10.1.2.3', 'fd00:10::3', '::ffff:10.1.2.3']), nodeName })),
  changeAddresses((random, { ip, ...address }) => ({ ...address, ip: rewriteAddress(random, ip ?? '') })),
  changeAddresses((random, address) => ({ ...address, nodeName: random.pick([null, undefined, 'n9', 'N0']) })),
  changeAddresses(({ pick }, { ip }) => ({ ip, targetRef: pick([null, { kind: 'Pod', name: 'p' }]), hostname: 'h' })),
  changePorts((random, port) => ({ ...port, port: random.pick([0, 1, 65_535, 8080]) })),
  changePorts((random, port) => ({ ...port, name: random.pick(['p0', 'p1', '', 'other']) })),
  changePorts((random, port) => ({ ...port, protocol: random.pick(['TCP', 'UDP', 'SCTP']) })),
  (random, { metadata, ...endpoints }) => ({
    ...endpoints,
    metadata: { ...metadata, ...random.pick([{ name: 'ghost' }, { name: 's0' }, { namespace: 'other' }]) },
  }),
];

/** Changes after which an API server refuses the Endpoints: only views are compared, not rules. */
const wildChanges: readonly Change[] = [
  changeAddresses((random, address) => ({
    ...address,
    ip: random.pick(['', 'bogus', ' 10.0.0.1', '10.0.0', 'fe80::1%eth0', ':::', '::']),
  })),
  changePorts((random, port) => ({ ...port, port: random.pick([-1, 65_536, 2_147_483_647]) })),
  changePorts((random, port) => ({ ...port, protocol: random.pick(['tcp', 'ICMP']) })),
  changePorts((random, port) => ({ ...port, name: random.pick(['a b', '"', 'constructor', '__proto__']) })),
];
