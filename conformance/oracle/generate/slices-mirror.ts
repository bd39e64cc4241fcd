/**
 * Random cases for the mirroring controller, deterministic for a seed: case "7-14-mirror" is number 14 of seed 7.
 * Run: node conformance/oracle/generate/slices-mirror.ts SEED COUNT [FROM]
 */
import type {
  EndpointAddressInput,
  EndpointPortInput,
  EndpointSliceInput,
  EndpointSubsetInput,
  EndpointsInput,
  Service,
} from 'kube-endpoints/types';
import { createRandom, type Random } from '../random.ts';
import type { SliceCase, SliceStep } from '../slices/case.ts';
import { lastApplied, type MirrorWorld, makeMirrorSlices, triggerTime } from './slices-mirrored.ts';

/** Generates `count` cases of a seed, starting with number `from`; a case depends only on the seed and its own number. */
export const generateMirrorCases = (seed: number, count: number, from: number = 0): SliceCase[] =>
  Array.from({ length: count }, (_, i) => generateCase(seed, from + i));

function generateCase(seed: number, number: number): SliceCase {
  // The number 5 distinguishes these cases from those of the other generators.
  const random = createRandom(seed, number, 5);
  const [namespace, name] = [random.pick(['default', 'shop']), random.pick(['db', 'outside', 'legacy'])];
  const max = random.pick([2, 3, 5, 10, 50, 1000, 1000, 1000]);
  const world: MirrorWorld = { random, namespace, name, max, manyPods: random.chance(0.004) };
  const service = makeService(world);
  const endpoints = makeEndpoints(world);
  const slices = random.maybe(0.35, () => makeMirrorSlices(world, endpoints));
  const testCase: SliceCase = {
    id: `${seed}-${number}-mirror`,
    key: `${namespace}/${name}`,
    max,
    ...random.maybe(0.96, () => ({ service })),
    ...random.maybe(0.97, () => ({ endpoints })),
    ...(slices && { slices }),
    steps: Array.from({ length: random.int(5) }, () => makeStep(world, { service, endpoints, slices })),
  };
  // Removes undefined fields, because oracles read cases as JSON.
  return JSON.parse(JSON.stringify(testCase)) as SliceCase;
}

function makeService({ random, namespace, name }: MirrorWorld): Service {
  return {
    metadata: { name, namespace, uid: 'service-1' },
    spec: { clusterIP: '10.96.0.7', selector: random.maybe(0.06, () => random.pick<Record<string, string>>([{}, { app: 'web' }])) },
  };
}

function makeEndpoints(world: MirrorWorld): EndpointsInput {
  const { random, namespace, name, manyPods } = world;
  const portLists = Array.from({ length: 3 }, () => makePorts(random));
  const count = manyPods ? random.pick([1, 2]) : random.pick([0, 1, 1, 1, 2, 2, 3, 4]);
  return {
    metadata: {
      name,
      namespace,
      uid: 'endpoints-1',
      resourceVersion: '70',
      labels: random.maybe(0.5, () => makeLabels(random)),
      annotations: random.maybe(0.5, () => makeAnnotations(random)),
      ...random.maybe(0.02, () => ({ deletionTimestamp: '2025-11-05T00:00:00Z' })),
    },
    subsets: random.maybe(0.97, () => Array.from({ length: count }, () => makeSubset(world, random.pick(portLists)))),
  };
}

const makeLabels = (random: Random): Record<string, string> => ({
  ...random.maybe(0.7, () => ({ app: random.pick(['a', 'b']) })),
  ...random.maybe(0.12, () => ({ 'endpointslice.kubernetes.io/skip-mirror': random.pick(['true', 'true', 'false', '', 'True']) })),
  ...random.maybe(0.08, () => ({ 'endpointslice.kubernetes.io/managed-by': 'me' })),
  ...random.maybe(0.08, () => ({ 'kubernetes.io/service-name': 'another' })),
  ...random.maybe(0.08, () => ({ 'service.kubernetes.io/headless': '' })),
});

const makeAnnotations = (random: Random): Record<string, string> => ({
  ...random.maybe(0.5, () => ({ note: random.pick(['x', 'y']) })),
  ...random.maybe(0.3, () => ({ [lastApplied]: random.pick(['{}', '{"a":1}']) })),
  ...random.maybe(0.3, () => ({
    [triggerTime]: random.pick(['2025-11-01T00:00:00Z', '2025-11-02T00:00:00Z']),
  })),
  ...random.maybe(0.06, () => ({ 'control-plane.alpha.kubernetes.io/leader': random.pick(['{}', '']) })),
  ...random.maybe(0.05, () => ({ 'endpoints.kubernetes.io/over-capacity': 'truncated' })),
});

function makePorts(random: Random): EndpointPortInput[] | undefined {
  if (random.chance(0.08)) return random.maybe(0.5, () => []);
  return Array.from({ length: random.pick([1, 1, 2, 3]) }, (_, i) => ({
    name: random.pick([`p${i}`, `p${i}`, 'web', '', undefined]),
    port: random.pick([80, 443, 8080, 0]),
    protocol: random.pick(['TCP', 'TCP', 'UDP', 'SCTP']),
    appProtocol: random.maybe(0.15, () => random.pick(['http', ''])),
  }));
}

function makeSubset({ random, max, manyPods }: MirrorWorld, ports: EndpointPortInput[] | undefined): EndpointSubsetInput {
  const drawAddressCount = (): number =>
    manyPods ? 400 + random.int(900) : max <= 10 && random.chance(0.4) ? max + random.int(5) : random.int(5);
  const list = (count: number): EndpointAddressInput[] =>
    Array.from({ length: count }, () => makeAddress(random, manyPods ? 5000 : 12, max < 1000));
  return {
    addresses: random.maybe(0.9, () => list(drawAddressCount())),
    notReadyAddresses: random.maybe(0.4, () => list(random.int(4))),
    ports,
  };
}

/**
 * If there are more addresses than the controller mirrors, each must be on one node only. Up to 1.23, a changed node alone does not rewrite
 * a slice, and the controller, which selects other addresses at every sync, would alternate between both nodes.
 */
function makeAddress(random: Random, count: number, hasOneNode: boolean): EndpointAddressInput {
  const number = random.int(count);
  const ip = random.chance(0.06)
    ? random.pick(['', 'db.example.com', '300.1.1.1', '010.0.0.9', '::ffff:10.0.0.9', 'fe80::1%eth0', 'FD00::A', 'fd00:0::b', '10.0.0'])
    : random.chance(0.25)
      ? `fd00:5::${number.toString(16)}`
      : `10.5.${number >> 8}.${number & 255}`;
  return {
    ip,
    hostname: random.maybe(0.1, () => random.pick(['h1', ''])),
    nodeName: hasOneNode ? [undefined, 'node-1', undefined][ip.length % 3] : random.maybe(0.2, () => random.pick(['node-1', 'node-2', ''])),
    targetRef: random.maybe(0.2, () => ({
      kind: 'Pod',
      namespace: 'shop',
      name: `pod-${number}`,
      uid: `u${number}`,
      resourceVersion: random.pick(['1', '2', undefined]),
    })),
  };
}

/** The initial objects of a case. */
interface InitialObjects {
  readonly service: Service;
  readonly endpoints: EndpointsInput;
  readonly slices: readonly EndpointSliceInput[] | undefined;
}

/** Creates the changes before a sync. */
function makeStep(world: MirrorWorld, { service, endpoints, slices = [] }: InitialObjects): SliceStep {
  const { random } = world;
  const subsets = (): EndpointSubsetInput[] => makeEndpoints(world).subsets?.slice() ?? [];
  const changeMetadata = (change: object): SliceStep => ({ endpoints: { ...endpoints, metadata: { ...endpoints.metadata, ...change } } });
  return random.pick<() => SliceStep>([
    () => ({}),
    () => ({ lag: true }),
    () => ({ endpoints: makeEndpoints(world) }),
    () => ({ endpoints }),
    () => ({ endpoints: { ...endpoints, subsets: subsets() } }),
    () => ({ endpoints: { ...endpoints, subsets: [...(endpoints.subsets ?? []), ...subsets()] } }),
    () => ({
      endpoints: {
        ...endpoints,
        subsets: endpoints.subsets?.map((s) => ({ ...s, addresses: s.notReadyAddresses, notReadyAddresses: s.addresses })),
      },
    }),
    () => changeMetadata({ labels: makeLabels(random) }),
    () => changeMetadata({ annotations: makeAnnotations(random) }),
    () => changeMetadata({ uid: 'endpoints-2' }),
    () => ({ endpointsDeleted: true }),
    () => ({ serviceDeleted: true }),
    () => ({ service }),
    () => ({
      service: {
        ...service,
        spec: { ...service.spec, selector: random.pick<Record<string, string> | undefined>([undefined, { app: 'a' }]) },
      },
    }),
    // A cache that has returned to older slices.
    () => ({ slices: slices.map((slice) => ({ ...slice, metadata: { ...slice.metadata, generation: 1 } })) }),
    () => (random.chance(0.6) ? { slices: makeMirrorSlices(world, endpoints) } : {}),
  ])();
}

if (import.meta.main) {
  const [seed = Number.NaN, count = Number.NaN, from = 0] = process.argv.slice(2).map(Number);
  if ([seed, count, from].every(Number.isSafeInteger)) {
    for (const each of generateMirrorCases(seed, count, from)) process.stdout.write(`${JSON.stringify(each)}\n`);
  } else {
    process.stderr.write('usage: node conformance/oracle/generate/slices-mirror.ts SEED COUNT [FROM]\n');
    process.exitCode = 2;
  }
}
