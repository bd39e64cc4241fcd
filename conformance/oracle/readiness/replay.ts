import {
  applyProbes,
  computeConditions,
  createProbe,
  generateStatus,
  mergeStatus,
  type ProbeMachine,
  type ProbeResult,
  podPhase,
  recordStatus,
} from 'kube-endpoints/readiness';
import type { ContainerStatus, PodStatus } from 'kube-endpoints/types';
import { optionsFor } from '../feature-gates.ts';
import type { ReadinessCase, ReadinessMode, ReadinessTick } from './case.ts';

/** Returns the library's answer to a case; undefined if the release does not support it. */
export const replayReadiness = (mode: ReadinessMode, version: string, testCase: ReadinessCase): unknown => replays[mode](testCase, version);

type Replay = (testCase: ReadinessCase, version: string) => unknown;

const replays: Readonly<Record<ReadinessMode, Replay>> = {
  conditions: (testCase, version) => ({
    conditions: computeConditions(testCase.pod, { ...optionsFor(version), observed: testCase, previousStatus: testCase.former }),
  }),
  phase: (testCase, version) => ({
    phase: podPhase(testCase.pod, {
      ...optionsFor(version),
      observed: testCase,
      finished: testCase.finished,
      initialized: testCase.initialized,
    }),
  }),
  merge: ({ pod, former, status = {}, running }, version) => ({
    status: mergeStatus({ pod, stored: former, status, running, now }, optionsFor(version)),
  }),
  record({ pod, former, status = {} }, version) {
    const recorded = recordStatus(
      { pod, previousStatus: former, status: { ...status, ...generationOf(pod, former, version) }, now },
      optionsFor(version),
    );
    return recorded.refused === undefined ? { status: recorded.status } : { refused: true };
  },
  probed: replayProbed,
  worker: replayWorker,
  generate: ({ pod, eviction, podIPs, hostIP, ...observed }, version) => ({
    status: generateStatus(
      { pod, observed, podIPs, ...(eviction?.evict && { eviction }), ...(hostIP && { hostIPs: [hostIP] }) },
      optionsFor(version),
    ),
  }),
};

const now = '2020-01-01T00:00:00Z';
const timeBefore = (seconds: number): string => new Date(Date.parse(now) - seconds * 1000).toISOString();

/** Sets observedGeneration as the status manager does when it receives a status. */
function generationOf({ metadata }: ReadinessCase['pod'], former: PodStatus, version: string): PodStatus {
  const minor = Number(version.split('.')[1]);
  const isTracked = optionsFor(version).featureGates?.PodObservedGenerationTracking ?? minor >= 34;
  const isReported = isTracked || (minor >= 33 && !!former.observedGeneration);
  return { observedGeneration: isReported ? (metadata?.generation ?? null) : null };
}

function replayProbed(
  { pod, containerStatuses = [], initContainerStatuses = [], results = {}, kubeletAge = 0 }: ReadinessCase,
  version: string,
) {
  // The generator stores the age of a container, in seconds, in its restartCount.
  const addAge = (status: ContainerStatus): ContainerStatus => withAge(status, status.restartCount ?? 0);
  const observed = { containerStatuses: containerStatuses.map(addAge), initContainerStatuses: initContainerStatuses.map(addAge) };
  const probes = {
    result: (kind: string, { containerID }: ContainerStatus) => results[kind]?.[containerID ?? ''] as ProbeResult | undefined,
    kubeletStart: timeBefore(kubeletAge),
  };
  return applyProbes(pod, observed, probes, optionsFor(version));
}

const withAge = (status: ContainerStatus, age: number): ContainerStatus =>
  status.state?.running ? { ...status, state: { ...status.state, running: { startedAt: timeBefore(age + 0.5) } } } : status;

function replayWorker({ pod, kind = 'readiness', container = '', kubeletAge = 0, ticks = [] }: ReadinessCase, version: string): unknown {
  const machine = createMachine(() => createProbe({ ...optionsFor(version), kind, pod, container, kubeletStart: timeBefore(kubeletAge) }));
  if (!machine) return undefined;
  const reported: unknown[] = [];
  let state = machine.start;
  for (const tick of ticks) {
    const tickResult = machine.tick(state, { now, status: addAges(tick), deleted: tick.deleted });
    state = tickResult.probes ? machine.answer(tickResult.state, tick.outcome) : tickResult.state;
    const { run, onHold, ended, result } = state;
    reported.push({ made: tickResult.probes, ended, run, onHold, ...(result && !ended && { result }) });
    if (ended) break;
  }
  return { ticks: reported };
}

/** Returns undefined for releases without the probe. */
function createMachine(make: () => ProbeMachine): ProbeMachine | undefined {
  try {
    return make();
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

function addAges({ status, age }: ReadinessTick): PodStatus | undefined {
  if (!status) return undefined;
  const addAge = (list: PodStatus['containerStatuses']): ContainerStatus[] => (list ?? []).map((each) => withAge(each, age));
  return { ...status, containerStatuses: addAge(status.containerStatuses), initContainerStatuses: addAge(status.initContainerStatuses) };
}
