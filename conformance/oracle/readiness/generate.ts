import type { ContainerState } from 'kube-endpoints/internal';
import type { Container, ContainerStatus, Pod, PodCondition, PodStatus } from 'kube-endpoints/types';
import { createRandom, type Random } from '../random.ts';
import type { ReadinessCase, ReadinessMode } from './case.ts';
import { makeProbedCase, makeWorkerCase } from './generate-probes.ts';

/** Generates random cases of a mode, deterministic for a seed. */
export function* generateReadiness(mode: ReadinessMode, seed: number, count: number, from = 0): Generator<ReadinessCase> {
  for (let number = from; number < from + count; number++) {
    const random = createRandom(seed, number, modeNumbers[mode]);
    yield { id: `${seed}-${mode}-${number}`, ...makers[mode](random) };
  }
}

const modeNumbers: Readonly<Record<ReadinessMode, number>> = {
  conditions: 1,
  phase: 2,
  merge: 3,
  record: 4,
  probed: 5,
  worker: 6,
  generate: 7,
};

type Maker = (random: Random) => Omit<ReadinessCase, 'id'>;

const makers: Readonly<Record<ReadinessMode, Maker>> = {
  conditions: (random) => ({ ...makeObservedCase(random), phase: random.pick(phases) }),
  phase: (random) => ({ ...makeObservedCase(random), finished: random.chance(0.3), initialized: random.chance(0.5) }),
  merge: (random) => makeStatusCase(random),
  record: (random) => makeStatusCase(random),
  probed: makeProbedCase,
  worker: makeWorkerCase,
  generate: makeGenerateCase,
};

const phases = ['Running', 'Running', 'Running', 'Pending', 'Succeeded', 'Succeeded', 'Failed', 'Failed', 'Unknown', ''];

function makeObservedCase(random: Random): Omit<ReadinessCase, 'id'> {
  const pod = makePod(random);
  const order = <T>(list: readonly T[]): readonly T[] => (random.chance(0.2) ? random.shuffle(list) : list);
  const areMostHealthy = random.chance(0.4);
  const containerStatuses = random.maybe(0.93, () => order(makeStatuses(random, pod.spec?.containers ?? [], false, areMostHealthy)));
  const initContainerStatuses = random.maybe(0.85, () => order(makeStatuses(random, pod.spec?.initContainers ?? [], true, areMostHealthy)));
  return {
    pod,
    former: { conditions: makeConditions(random, pod) },
    ...(containerStatuses && { containerStatuses }),
    ...(initContainerStatuses && { initContainerStatuses }),
  };
}

function makeStatusCase(random: Random): Omit<ReadinessCase, 'id'> {
  const pod = makePod(random);
  const [former, status] = [makeStatus(random, pod), makeStatus(random, pod)];
  // a status is often similar to the previous one
  const nextStatus = random.chance(0.5) ? { ...status, ...pickFields(random, former) } : status;
  return { pod, former, status: nextStatus, running: random.chance(0.4) };
}

function makeGenerateCase(random: Random): Omit<ReadinessCase, 'id'> {
  const { pod, ...observed } = makeObservedCase(random);
  const evict = random.chance(0.8);
  return {
    ...observed,
    pod: {
      ...pod,
      spec: { ...pod.spec, ...random.maybe(0.4, () => ({ hostNetwork: true })) },
      status: { ...pod.status, ...random.maybe(0.8, () => ({ phase: random.pick(phases) })) },
    },
    ...random.maybe(0.2, () => ({ eviction: { evict, reason: 'Evicted', message: random.pick(['', 'low on memory']) } })),
    podIPs: random.pick([[], ['10.0.0.1'], ['10.0.0.1', 'fd00::1'], ['fd00::1']]),
    hostIP: random.pick(['', '192.0.2.7', '2001:db8::7']),
  };
}

const pickFields = (random: Random, status: PodStatus): PodStatus =>
  Object.fromEntries(Object.entries(status).filter(() => random.chance(0.5)));

/** Creates a status of a pod: the containers and conditions need not fit together. */
export function makeStatus(random: Random, pod: Pod): PodStatus {
  const observed = { ...makeObservedStatuses(random, pod) };
  const phase = random.pick(phases);
  return {
    ...(phase && { phase }),
    ...random.maybe(0.4, () => ({ reason: random.pick(['Evicted', 'NodeLost', 'Preempting']) })),
    ...random.maybe(0.4, () => ({ message: random.pick(['The node was low on memory.', 'gone']) })),
    ...random.maybe(0.5, () => ({ startTime: makeTime(random) })),
    ...random.maybe(0.3, () => ({ observedGeneration: 1 + random.int(9) })),
    ...random.maybe(0.5, () => ({ hostIP: '192.0.2.7' })),
    ...random.maybe(0.3, () => ({ resourceClaimStatuses: [{ name: `claim-${random.int(3)}` }] })),
    ...random.maybe(0.9, () => ({ conditions: makeConditions(random, pod) })),
    ...observed,
  };
}

function makeObservedStatuses(random: Random, pod: Pod): PodStatus {
  const areMostHealthy = random.chance(0.4);
  return {
    ...random.maybe(0.9, () => ({
      containerStatuses: random.shuffle(makeStatuses(random, pod.spec?.containers ?? [], false, areMostHealthy)),
    })),
    // includes some statuses that do not match the containers, although the API server refuses them
    ...random.maybe(0.7, () => {
      const list = makeStatuses(random, pod.spec?.initContainers ?? [], true, areMostHealthy);
      return { initContainerStatuses: random.chance(0.2) ? random.shuffle(list) : list };
    }),
  };
}

/** Draws a time in 2001: a later time in a result shows that the kubelet's code set it. */
export const makeTime = (random: Random): string =>
  new Date(Date.UTC(2001, 0, 1) + random.int(3e7) * 1000).toISOString().replace('.000Z', 'Z');

const gateNames = [
  'www.example.com/ready',
  'target-health.elbv2.k8s.aws/tg-1',
  'Ready',
  'Initialized',
  'a"q\\g',
  'née/\u00a0\u0007\u200b\u{1f600}',
  '',
];

/** @param mayRepeat whether container names may repeat, which the API server refuses */
export function makePod(random: Random, mayRepeat = true): Pod {
  const makeNames = (prefix: string, counts: readonly number[]): string[] =>
    Array.from({ length: random.pick(counts) }, (_, i) => (mayRepeat && random.chance(0.02) ? 'c0' : `${prefix}${i}`));
  const readinessGates = Array.from({ length: random.pick([0, 0, 0, 1, 2, 3]) }, () => ({ conditionType: random.pick(gateNames) }));
  const pod: Pod = {
    metadata: {
      name: 'p',
      namespace: 'shop',
      uid: 'u1',
      ...random.maybe(0.7, () => ({ generation: random.int(9) })),
      ...random.maybe(0.1, () => ({ annotations: { 'kubernetes.io/config.source': random.pick(['api', 'file', 'http']) } })),
    },
    spec: {
      containers: makeNames('c', [1, 1, 1, 2, 2, 3, 5, 0]).map((name) =>
        makeContainer(random, name, 0.3, ['Always', 'OnFailure', 'Never']),
      ),
      ...random.maybe(0.6, () => ({
        initContainers: makeNames('i', [0, 1, 1, 2, 2, 3, 4]).map((name) =>
          makeContainer(random, name, 0.55, ['Always', 'Always', 'Always', 'OnFailure', 'Never']),
        ),
      })),
      ...random.maybe(0.97, () => ({ restartPolicy: random.pick(['Always', 'Always', 'OnFailure', 'Never']) })),
      ...(readinessGates.length > 0 && { readinessGates }),
    },
  };
  return { ...pod, status: { conditions: makeConditions(random, pod) } };
}

function makeContainer(random: Random, name: string, policyShare: number, policies: readonly string[]): Container {
  const rule = () => ({
    action: random.pick(['Restart', 'Restart', 'RestartAllContainers', 'Other']),
    ...random.maybe(0.95, () => ({
      exitCodes: {
        operator: random.pick(['In', 'In', 'NotIn', '']),
        values: Array.from({ length: random.int(3) }, () => random.pick(exitCodes)),
      },
    })),
  });
  return {
    name,
    ...random.maybe(policyShare, () => ({ restartPolicy: random.pick(policies) })),
    ...random.maybe(0.2, () => ({ restartPolicyRules: Array.from({ length: 1 + random.int(2) }, rule) })),
  };
}

const exitCodes = [0, 0, 1, 42, 137];

const conditionTypes = [
  ['Ready', 'ContainersReady', 'Initialized', 'PodScheduled', 'PodReadyToStartContainers'],
  ['DisruptionTarget', 'Unschedulable', 'PodResizePending', 'PodResizeInProgress', 'AllContainersRestarting', 'example.com/other'],
].flat();

/** Creates conditions in random order, sometimes with duplicate types; most readiness gates have one. */
function makeConditions(random: Random, { spec }: Pod): PodCondition[] {
  const gates = (spec?.readinessGates ?? []).map(({ conditionType }) => conditionType ?? '').filter(() => random.chance(0.8));
  const types = [...conditionTypes.filter(() => random.chance(0.45)), ...gates, ...gates.filter(() => random.chance(0.05))];
  return random.shuffle(types).map((type) => ({
    type,
    status: random.pick(['True', 'True', 'True', 'False', 'False', 'Unknown', 'true']),
    lastTransitionTime: makeTime(random),
    ...random.maybe(0.2, () => ({ observedGeneration: 1 + random.int(9) })),
    ...random.maybe(0.3, () => ({ reason: random.pick(['Old', 'PodFailed', 'ContainersNotReady']) })),
    ...random.maybe(0.3, () => ({ message: 'as it was' })),
  }));
}

/** Creates statuses of most containers, and sometimes of an unknown one. */
export function makeStatuses(
  random: Random,
  containers: readonly Container[],
  areInit: boolean,
  areMostHealthy: boolean,
): ContainerStatus[] {
  const statuses = containers
    .filter(() => areMostHealthy || random.chance(0.93))
    .map(({ name }) => makeContainerStatus(random, name ?? '', areInit, areMostHealthy));
  return random.chance(areMostHealthy ? 0.01 : 0.06) ? [...statuses, makeContainerStatus(random, 'gone', areInit, false)] : statuses;
}

function makeContainerStatus(random: Random, name: string, isInit: boolean, areMostHealthy: boolean): ContainerStatus {
  const kind = areMostHealthy && random.chance(0.85) ? (isInit ? 'terminated' : 'running') : random.pick(stateKinds);
  const state = makeState(random, kind, areMostHealthy);
  const isHealthy = kind === 'running' || (isInit && state?.terminated?.exitCode === 0);
  return {
    name,
    containerID: `containerd://${name}`,
    restartCount: random.pick([0, 0, 1, 7]),
    ready: random.chance(isHealthy ? 0.85 : 0.1),
    ...random.maybe(0.9, () => ({ started: random.chance(kind === 'running' ? 0.85 : 0.1) })),
    ...(state && { state }),
    ...random.maybe(0.4, () => {
      const lastState = makeState(random, random.pick(['terminated', 'terminated', 'terminated', 'running', 'waiting']), false);
      return { ...(lastState && { lastState }) };
    }),
  };
}

const stateKinds = ['running', 'running', 'terminated', 'terminated', 'waiting', 'waiting', 'none', 'several'];

function makeState(random: Random, kind: string, areMostHealthy: boolean): ContainerState | undefined {
  const states: Readonly<Record<string, () => ContainerState>> = {
    running: () => ({ running: { startedAt: makeTime(random) } }),
    waiting: () => ({ waiting: { reason: random.pick(['PodInitializing', 'CrashLoopBackOff']) } }),
    terminated: () => ({
      terminated: {
        exitCode: areMostHealthy ? random.pick([0, 0, 0, 1]) : random.pick(exitCodes),
        reason: random.pick(['Completed', 'Error', 'RestartingAllContainers']),
        finishedAt: makeTime(random),
      },
    }),
  };
  if (kind === 'several') return Object.assign({}, ...Object.values(states).map((make) => random.maybe(0.6, make)));
  return states[kind]?.();
}
