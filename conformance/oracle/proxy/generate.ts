import type { ProxyService } from 'kube-endpoints/proxy';
import { createRandom, type Random } from '../random.ts';
import type { ProxyWorld } from './case.ts';
import { withEndpoints } from './generate-endpoints.ts';
import { withOddities } from './generate-odd.ts';
import { makeService } from './generate-services.ts';
import { makeSlices, type NodeLocation } from './generate-slices.ts';
import { isRandom } from './is-random.ts';

/**
 * Generates random nodes with Services and slices; deterministic for a seed.
 * @param isBefore22 whether kube-proxy keeps one port number of an address, and can read Endpoints
 */
export function* generateProxy(seed: number, count: number, from = 0, isBefore22 = false): Generator<ProxyWorld> {
  for (let number = from; number < from + count; number++) {
    const random = createRandom(seed, number, generatorNumber);
    const usual = makeWorld(random, `${seed}-proxy-${number}`);
    const withSlices = random.chance(oddShare) ? withOddities(random, usual) : usual;
    const world = isBefore22 ? withEndpoints(createRandom(seed, number, endpointsNumber), withSlices) : withSlices;
    yield isRandom(world, isBefore22) ? { ...world, tries: triesIfRandom } : world;
  }
}

/** Separates the random numbers of this generator from those of other generators with the same seed. */
const generatorNumber = 10;
const endpointsNumber = 11;
const oddShare = 0.5;
/** Enough to see almost every possible outcome. */
const triesIfRandom = 150;

function makeWorld(random: Random, id: string): ProxyWorld {
  const hosts: NodeLocation[] = Array.from({ length: 2 + random.int(4) }, (_, id) => ({ node: `n${id}`, zone: `z${random.int(3)}` }));
  const self = random.pick(hosts);
  const services: ProxyService[] = Array.from({ length: random.pick([0, 1, 1, 2, 3, 4]) }, (_, id) => makeService(random, id));
  // With more than 1,000 endpoints, kube-proxy uses its large cluster mode.
  const endpointsPerFamily = random.chance(0.004) ? 400 : undefined;
  return {
    id,
    nodeName: self.node,
    nodeLabels: makeLabels(random, self),
    ...makeNetwork(random),
    ...random.maybe(0.15, () => ({ masqueradeAll: true })),
    ...random.maybe(0.1, () => ({ masqueradeBit: random.pick([0, 7, 15, 31]) })),
    ...random.maybe(0.2, () => ({ localhostNodePorts: true })),
    ...random.maybe(0.3, () => ({ nodePortAddresses: random.pick(nodePortAddresses) })),
    services,
    endpointSlices: random.shuffle(services.flatMap((service, id) => makeSlices(random, service, id, hosts, self, endpointsPerFamily))),
    rules: ['iptables', 'nftables', 'ipvs'],
  };
}

const makeLabels = (random: Random, { node, zone }: NodeLocation): Record<string, string> => ({
  ...random.maybe(0.9, () => ({ 'kubernetes.io/hostname': node })),
  ...random.maybe(0.85, () => ({ 'topology.kubernetes.io/zone': random.chance(0.97) ? zone : '' })),
});

const makeNetwork = (random: Random): Pick<ProxyWorld, 'nodeIPs' | 'podCIDRs' | 'serviceCIDRs'> => ({
  nodeIPs: random.pick([
    ['192.168.0.2', '2001:db8::2'],
    ['192.168.0.2', '2001:db8::2'],
    ['2001:db8::2', '192.168.0.2'],
    ['192.168.0.2', '10.5.0.2', '2001:db8::2', '2001:db8:5::2'],
  ]),
  podCIDRs: random.pick([
    ['10.0.0.0/8', 'fd00:10::/64'],
    ['fd00:10::/64', '10.1.0.0/16'],
    ['10.1.0.0/16'],
    ['10.1.0.0/16', '10.2.0.0/16'],
    [],
  ]),
  serviceCIDRs: random.pick([
    ['10.96.0.0/16', 'fd00:10:96::/112'],
    ['10.96.0.0/16'],
    ['10.96.0.0/16', '10.97.0.0/16', 'fd00:10:96::/112', 'fd00:10:97::/112'],
    [],
  ]),
});

const nodePortAddresses: readonly (readonly string[])[] = [
  ['192.168.0.0/24'],
  ['2001:db8::/64', '127.0.0.0/8'],
  ['192.168.0.2/32', '2001:db8::2/128'],
  ['10.0.0.0/8', '192.168.0.0/16'],
  ['0.0.0.0/0'],
  ['::/0'],
  ['0.0.0.0/0', '::/0'],
  ['172.16.0.0/12'],
  ['127.0.0.0/8', '::1/128'],
];
