import type { BalancedPort, LoadBalancerIngress } from 'kube-endpoints/internal';
import type { BalancedNode, BalancedService } from 'kube-endpoints/load-balancer';
import { createRandom, type Random } from '../random.ts';
import type { CloudOp, CloudOutcome, SlbCase, SlbStep } from './case.ts';
import { changeNode, makeNode } from './generate-nodes.ts';

/** Separates the random numbers of this generator from those of other generators with the same seed. */
const generatorNumber = 8;

/** Generates random histories of a Service and its nodes, deterministic for a seed. */
export function* generateSlb(seed: number, count: number, firstNumber = 0): Generator<SlbCase> {
  for (let number = firstNumber; number < firstNumber + count; number++) {
    yield { id: `${seed}-slb-${number}`, steps: makeHistory(createRandom(seed, number, generatorNumber)) };
  }
}

/** The current state of a history; finalizers and status are present only if a user writes them. */
interface History {
  readonly random: Random;
  service: BalancedService | undefined;
  nodes: BalancedNode[];
  uidCount: number;
  nodeCount: number;
}

type Spec = NonNullable<BalancedService['spec']>;

function makeHistory(random: Random): SlbStep[] {
  const state: History = { random, service: undefined, nodes: [], uidCount: 0, nodeCount: 0 };
  const first: SlbStep = { nodes: Array.from({ length: random.int(5) }, () => addNode(state)) };
  const service = random.chance(0.95) ? { service: writeService(state, newService(state)) } : {};
  const steps: SlbStep[] = [{ ...first, ...service, ...makeFaults(random) }];
  for (let remaining = 1 + random.int(8); remaining > 0; remaining--) {
    const event = random.pick(events);
    steps.push({ ...event(state), ...makeFaults(random) });
  }
  return steps;
}

function addNode(state: History): BalancedNode {
  const node = makeNode(state.random, `n${state.nodeCount++}`);
  state.nodes.push(node);
  return node;
}

/** Draws the behavior of the cloud and the API server in a step. */
const makeFaults = (random: Random): SlbStep => ({
  ...random.maybe(0.2, () => ({ cloudError: makeOutcomes(random) })),
  ...random.maybe(0.05, () => ({ apiError: random.pick(['conflict', 'notfound'] as const) })),
  ...random.maybe(0.06, () => ({ exists: random.chance(0.5) })),
  ...random.maybe(0.15, () => ({ ingress: random.pick(ingresses) })),
});

const failures = ['error', 'elsewhere', 'retry'] as const;
const calls: readonly CloudOp[] = ['get', 'ensure', 'update', 'delete'];

function makeOutcomes(random: Random): NonNullable<SlbStep['cloudError']> {
  if (random.chance(0.6)) return random.pick(failures);
  const outcomes = calls.filter(() => random.chance(0.5)).map((op): [CloudOp, CloudOutcome] => [op, random.pick([...failures, 'none'])]);
  return Object.fromEntries(outcomes);
}

const ingresses: readonly (readonly LoadBalancerIngress[])[] = [
  [{ ip: '203.0.113.2' }],
  [{ hostname: 'lb.example.com' }],
  [{ ip: '203.0.113.1' }, { ip: '203.0.113.2' }],
  [{ ip: '203.0.113.2' }, { ip: '203.0.113.1' }],
  [{ ip: '2001:db8::1', hostname: 'lb.example.com' }],
  [],
];

type StepMaker = (state: History) => SlbStep;

const changeStep: StepMaker = (state) => (state.service ? { service: writeService(state, changeService(state, state.service)) } : {});

function nodeStep(state: History): SlbStep {
  const { random, nodes } = state;
  const choice = random.int(5);
  if (choice === 0) addNode(state);
  else if (choice === 1) nodes.splice(random.int(nodes.length), 1);
  else if (nodes.length > 0) {
    const i = random.int(nodes.length);
    nodes[i] = changeNode(random, nodes[i] as BalancedNode);
  }
  if (random.chance(0.1)) state.nodes = random.shuffle(nodes);
  return { nodes: [...state.nodes] };
}

const deleteStep: StepMaker = (state) => {
  if (!state.service) return {};
  const { metadata } = state.service;
  return { service: writeService(state, { ...state.service, metadata: { ...metadata, deletionTimestamp: '2026-01-02T00:00:00Z' } }) };
};

/** Deletes the Service without a deletionTimestamp. */
const vanishStep: StepMaker = (state) => {
  if (!state.service) return {};
  state.service = undefined;
  return { service: null };
};

const recreateStep: StepMaker = (state) => ({ service: writeService(state, newService(state)) });

const events: readonly StepMaker[] = [
  changeStep,
  changeStep,
  changeStep,
  changeStep,
  nodeStep,
  nodeStep,
  nodeStep,
  (state) => ({ ...changeStep(state), ...nodeStep(state) }),
  deleteStep,
  vanishStep,
  recreateStep,
  () => ({ resync: true }),
  () => ({ restart: true }),
  () => ({}),
];

/** Stores the Service without finalizers and status, which the oracle keeps. */
function writeService(state: History, service: BalancedService): BalancedService {
  const { finalizers: _, ...metadata } = service.metadata ?? {};
  const { status: __, ...rest } = service;
  state.service = { ...rest, metadata };
  return service;
}

const finalizer = 'service.kubernetes.io/load-balancer-cleanup';
const finalizerLists: readonly (readonly string[])[] = [
  [finalizer],
  [finalizer],
  ['example.com/mine'],
  [finalizer, 'example.com/mine'],
  ['example.com/mine', finalizer, 'zzz.example.com/last'],
  ['zzz.example.com/last', 'example.com/mine'],
];

function newService(state: History): BalancedService {
  const { random } = state;
  const type = random.pick(['LoadBalancer', 'LoadBalancer', 'LoadBalancer', 'LoadBalancer', 'ClusterIP', 'NodePort']);
  return {
    metadata: {
      name: 'web',
      namespace: 'shop',
      uid: `u${++state.uidCount}`,
      ...random.maybe(0.12, () => ({ finalizers: random.pick(finalizerLists) })),
      ...random.maybe(0.2, () => ({ annotations: { 'cloud.example.com/kind': 'internal' } })),
    },
    spec: {
      type,
      clusterIP: '10.96.0.7',
      sessionAffinity: 'None',
      ports: Array.from({ length: 1 + random.int(2) }, (_, i) => makePort(random, i)),
      ...random.maybe(0.7, () => ({ ipFamilies: ['IPv4'] })),
      ...random.maybe(0.1, () => ({ loadBalancerClass: 'example.com/other' })),
      ...(type !== 'ClusterIP' && { externalTrafficPolicy: random.pick(['Cluster', 'Local']) }),
    },
    ...random.maybe(0.1, () => ({ status: { loadBalancer: { ingress: random.pick(ingresses.slice(0, 3)) } } })),
  };
}

const makePort = (random: Random, i: number): BalancedPort => ({
  name: `p${i}`,
  protocol: random.pick(['TCP', 'TCP', 'UDP']),
  port: 80 + i,
  targetPort: random.pick([8080, 'http']),
  nodePort: 30_000 + random.int(2000),
});

/** Makes one to three changes to a Service, as a user or another controller might. */
function changeService(state: History, service: BalancedService): BalancedService {
  let next = service;
  for (let remaining = state.random.pick([1, 1, 1, 2, 3]); remaining > 0; remaining--) next = state.random.pick(changes)(next, state);
  return next;
}

type Change = (service: BalancedService, state: History) => BalancedService;

/** Sets a field of the spec to one of the values; undefined removes it. */
const setField =
  <Name extends keyof Spec>(name: Name, ...values: readonly Spec[Name][]): Change =>
  ({ spec, ...rest }, { random }) => ({ ...rest, spec: { ...spec, [name]: random.pick(values) } });

const changePorts: Change = ({ spec, ...rest }, { random }) => {
  const ports = [...(spec?.ports ?? [])];
  const i = random.int(ports.length);
  const choice = random.int(4);
  if (choice === 0) ports.push({ name: 'more', protocol: 'TCP', port: 9000 + ports.length, targetPort: 9000, nodePort: 31_999 });
  else if (choice === 1 && ports.length > 1) ports.splice(i, 1);
  else if (choice === 2) ports.reverse();
  else ports[i] = { ...ports[i], ...random.pick(portChanges) };
  return { ...rest, spec: { ...spec, ports } };
};

const portChanges: readonly BalancedPort[] = [
  { name: 'other' },
  { protocol: 'UDP' },
  { port: 85 },
  { nodePort: 30_001 },
  { targetPort: '8080' },
  { targetPort: 9090 },
  { appProtocol: 'http' },
  { appProtocol: 'https' },
];

const annotate: Change = ({ metadata, ...rest }, { random }) => {
  const annotations = random.pick([{ 'cloud.example.com/kind': 'internal' }, { 'cloud.example.com/kind': 'public' }, {}, undefined]);
  const { annotations: _, ...others } = metadata ?? {};
  return { ...rest, metadata: { ...others, ...(annotations && { annotations }) } };
};

const replaceUID: Change = (service, state) => ({ ...service, metadata: { ...service.metadata, uid: `u${++state.uidCount}` } });

const changes: readonly Change[] = [
  setField('type', 'LoadBalancer', 'ClusterIP', 'NodePort', 'ExternalName'),
  setField('type', 'LoadBalancer', 'ClusterIP'),
  setField('loadBalancerClass', 'example.com/other', undefined),
  setField('loadBalancerSourceRanges', ['10.0.0.0/8'], ['10.0.0.0/8', '192.168.0.0/16'], ['192.168.0.0/16', '10.0.0.0/8'], [], undefined),
  changePorts,
  changePorts,
  setField('sessionAffinity', 'None', 'ClientIP'),
  setField(
    'sessionAffinityConfig',
    { clientIP: { timeoutSeconds: 10_800 } },
    { clientIP: { timeoutSeconds: 60 } },
    { clientIP: {} },
    {},
    undefined,
  ),
  setField('loadBalancerIP', '203.0.113.9', '', undefined),
  setField('externalIPs', ['198.51.100.1'], ['198.51.100.2'], ['198.51.100.1', '198.51.100.2'], ['198.51.100.2', '198.51.100.1'], []),
  setField('externalTrafficPolicy', 'Cluster', 'Local'),
  setField('healthCheckNodePort', 0, 32_000, 32_001),
  setField('ipFamilies', ['IPv4'], ['IPv4', 'IPv6'], ['IPv6', 'IPv4'], undefined),
  setField('allocateLoadBalancerNodePorts', true, false),
  setField('selector', { app: 'a' }, { app: 'b' }),
  annotate,
  replaceUID,
  ({ metadata, ...rest }, { random }) => ({ ...rest, metadata: { ...metadata, labels: { x: String(random.int(9)) } } }),
  ({ metadata, ...rest }, { random }) => ({ ...rest, metadata: { ...metadata, finalizers: random.pick(finalizerLists) } }),
  (service, { random }) => ({ ...service, status: { loadBalancer: { ingress: random.pick(ingresses.slice(0, 3)) } } }),
];
