import type { ApiObject } from 'kube-endpoints/port';
import type { Random } from '../random.ts';
import type { WorkloadCase, WorkloadChange, WorkloadStep, WriteFailure } from './case.ts';
import { formatTime, namespace, randomFailures, randomHold } from './generate-world.ts';

/**
 * What the nodes of a case have in common. The original holds locks during its calls; if the check of nodes waits for one, virtual time stops. So no
 * node needs a NoExecute taint or has one at the start, when all parts of the controller begin at the same time.
 */
interface World {
  readonly random: Random;
  /** The number of nodes at the start. */
  readonly size: number;
  readonly zones: number;
  /** Whether nodes are lost and recover. Only without it, writes of nodes conflict: a retry of a taint would hold its lock for some time. */
  readonly isUnstable: boolean;
}

/** Creates nodes in zones whose kubelets stop, report problems and recover, and pods on them. */
export function generateNodes(random: Random, id: string): WorkloadCase {
  const size = random.pick([1, 2, 3, 4, 7, 8]);
  const world: World = { random, size, zones: random.pick([1, 1, 1, 2, 3]), isUnstable: random.chance(0.85) };
  const nodes = Array.from({ length: size }, (_, i) => withoutEvictions(makeNode({ ...world, isUnstable: false }, i, 0)));
  const leases = nodes.filter(() => random.chance(0.8)).map((_, i) => makeLease(i, -random.int(20_000)));
  const pods = Array.from({ length: random.int(8) }, (_, i) => makePod(world, i, 0));
  let now = 0;
  const steps = Array.from({ length: 4 + random.int(12) }, () => {
    const { advanceMs, ...step } = makeStep(world, now);
    const end = now + advanceMs;
    // The end of a step does not coincide with a pass of taints.
    now = end % 100 === 0 ? end + 1 : end;
    return { ...step, advanceMs: now - end + advanceMs };
  });
  return { id, objects: [...nodes, ...leases, ...pods], gracefulPods: true, steps };
}

function withoutEvictions(node: ApiObject): ApiObject {
  const { taints, ...spec } = node['spec'] as { readonly taints?: readonly { readonly effect: string }[] };
  const others = (taints ?? []).filter(({ effect }) => effect !== 'NoExecute');
  return { ...node, spec: { ...spec, ...nonEmpty('taints', others) } } as ApiObject;
}

const nodeName = (index: number): string => `n${index}`;

const makeNode = (world: World, index: number, now: number): ApiObject =>
  ({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name: nodeName(index),
      uid: `node-${index}-${now}`,
      generation: 1,
      creationTimestamp: formatTime(now - world.random.pick([0, 5000, 20_000, 55_000])),
      ...nonEmpty('labels', makeLabels(world)),
    },
    spec: { ...world.random.maybe(0.1, () => ({ unschedulable: true })), ...nonEmpty('taints', makeTaints(world)) },
    status: { ...systemStatus, ...world.random.maybe(0.9, () => ({ conditions: makeConditions(world, now) })) },
  }) as unknown as ApiObject;

/** A field that Go leaves out if it is empty. */
const nonEmpty = (name: string, value: object): object => (Object.keys(value).length > 0 ? { [name]: value } : {});

/** Fields that Go encodes even if they are empty. */
const systemStatus = {
  daemonEndpoints: { kubeletEndpoint: { Port: 10_250 } },
  nodeInfo: Object.fromEntries(
    [
      ...['architecture', 'bootID', 'containerRuntimeVersion', 'kernelVersion', 'kubeProxyVersion'],
      ...['kubeletVersion', 'machineID', 'operatingSystem', 'osImage', 'systemUUID'],
    ].map((name) => [name, name]),
  ),
};

function makeLabels({ random, zones }: World): Record<string, string> {
  const zone = random.int(zones);
  return {
    ...(zone > 0 && { [random.pick(['topology.kubernetes.io/zone', 'failure-domain.beta.kubernetes.io/zone'])]: `z${zone}` }),
    ...random.maybe(0.1, () => ({ 'topology.kubernetes.io/region': 'r' })),
    ...random.maybe(0.05, () => ({ 'node.kubernetes.io/exclude-disruption': '' })),
    ...random.maybe(0.5, () => ({ 'kubernetes.io/os': 'linux' })),
    ...random.maybe(0.4, () => ({ 'beta.kubernetes.io/os': random.pick(['linux', 'windows']) })),
    ...random.maybe(0.3, () => ({ 'kubernetes.io/arch': 'amd64' })),
  };
}

const conditionKeys = ['memory-pressure', 'disk-pressure', 'network-unavailable', 'pid-pressure', 'unschedulable'];

function makeTaints({ random }: World): object[] {
  const kinds = [
    ...['not-ready', 'unreachable'].flatMap((key) => ['NoSchedule', 'NoExecute'].map((effect) => ({ key, effect }))),
    ...conditionKeys.map((key) => ({ key, effect: 'NoSchedule' })),
  ].map(({ key, effect }) => ({ key: `node.kubernetes.io/${key}`, effect }));
  const others = [
    { key: 'x', effect: 'NoSchedule', value: 'v' },
    { key: 'x', effect: 'NoExecute' },
  ];
  return [...kinds, ...others]
    .filter(() => random.chance(0.07))
    .map((taint) => ({ ...taint, ...random.maybe(0.5, () => ({ timeAdded: formatTime(-1000 * random.int(100)) })) }));
}

function makeConditions(world: World, now: number): object[] {
  const { random, isUnstable } = world;
  const makeCondition = (type: string, statuses: readonly string[]): object => ({
    type,
    status: random.pick(statuses),
    ...random.maybe(0.8, () => ({ reason: 'R', message: 'm' })),
    ...random.maybe(0.9, () => ({ lastHeartbeatTime: formatTime(now - random.int(3) * 1000) })),
    lastTransitionTime: formatTime(now - random.int(10) * 1000),
  });
  return [
    makeCondition('Ready', isUnstable ? ['True', 'True', 'True', 'True', 'False', 'Unknown'] : ['True']),
    ...['MemoryPressure', 'DiskPressure', 'PIDPressure', 'NetworkUnavailable']
      .filter(() => random.chance(0.5))
      .map((type) => makeCondition(type, ['False', 'False', 'True', 'Unknown'])),
  ];
}

const makeLease = (index: number, renewedAt: number): ApiObject =>
  ({
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name: nodeName(index), namespace: 'kube-node-lease', uid: `lease-${index}`, generation: 1 },
    spec: { holderIdentity: nodeName(index), renewTime: formatTime(renewedAt).replace('Z', '.000000Z') },
  }) as unknown as ApiObject;

const makePod = ({ random, size }: World, index: number, now: number): ApiObject =>
  ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: `p${index}`, namespace, uid: `pod-${index}-${now}`, generation: 1, creationTimestamp: formatTime(now - 10_000) },
    spec: { containers: [{ name: 'c', image: 'i' }], ...random.maybe(0.9, () => ({ nodeName: nodeName(random.int(size + 1)) })) },
    status: {
      phase: 'Running',
      ...random.maybe(0.9, () => ({
        conditions: [
          { type: 'PodScheduled', status: 'True' },
          { type: 'Ready', status: random.pick(['True', 'True', 'True', 'False', 'Unknown']), lastTransitionTime: formatTime(now - 5000) },
        ],
      })),
    },
  }) as unknown as ApiObject;

function makeStep(world: World, now: number): WorkloadStep {
  const { random, size, isUnstable } = world;
  // Most kubelets renew their Leases, some never do.
  const alive = isUnstable ? random.pick([0, 0.3, 0.7, 1]) : 1;
  const renewals = Array.from({ length: size }, (_, i): WorkloadChange => ({ put: makeLease(i, now) })).filter(() => random.chance(alive));
  return {
    changes: [...renewals, ...Array.from({ length: random.pick([0, 1, 1, 2, 4]) }, () => makeChange(world, now))],
    failures: makeFailures(world),
    ...(isUnstable ? randomHold(random, ['Pod', 'Lease']) : randomHold(random, ['Pod', 'Node', 'Lease'])),
    advanceMs: random.pick([6, 37, 1037, 5037, 10_037, 20_037, 30_037, 45_037]) + random.int(3),
  };
}

/** Fewer failures of writes of a status than attempts: at the end of the last one, two timers of the original fire at the same time. */
function makeFailures({ random, isUnstable }: World): WriteFailure[] {
  const failures = randomFailures(random, [
    ['patch', 'Node'],
    ['update', 'Node', 'status'],
    ['update', 'Pod', 'status'],
  ]);
  return failures
    .filter(({ verb, kind, status }) => !isUnstable || verb !== 'patch' || kind !== 'Node' || status.reason !== 'Conflict')
    .map((failure) => ({ ...failure, times: failure.kind === 'Node' ? Math.min(failure.times, 3) : failure.times }));
}

function makeChange(world: World, now: number): WorkloadChange {
  const { random, size } = world;
  const node = { kind: 'Node', nth: random.int(size) };
  const pod = { kind: 'Pod', nth: random.int(10) };
  const kind = random.int(20);
  if (kind < 9) return { merge: { ...node, patch: { status: { conditions: makeConditions(world, now) } } } };
  if (kind < 11) return { merge: { ...node, patch: { spec: { taints: null, ...nonEmpty('taints', makeTaints(world)) } } } };
  if (kind < 12) return { merge: { ...node, patch: { spec: { unschedulable: random.chance(0.5) || null } } } };
  if (kind < 13) return { merge: { ...node, patch: { metadata: { labels: makeLabels(world) } } } };
  if (kind < 14) return { put: makeNode(world, random.int(size + 1), now) };
  if (kind < 15) return { delete: node };
  if (kind < 16) return { delete: { kind: 'Lease', nth: random.int(size) } };
  if (kind < 18) return { put: makePod(world, random.int(10), now) };
  if (kind < 19) return { delete: pod };
  return { merge: { ...pod, patch: { status: { conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: formatTime(now) }] } } } };
}
