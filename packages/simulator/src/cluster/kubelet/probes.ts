import { isSidecar } from 'kube-endpoints/internal';
import { createProbe, type ProbeMachine, type ProbeResult } from 'kube-endpoints/readiness';
import type { PodStatus } from 'kube-endpoints/types';
import type { Clock, Timer } from '../../engine/clock.ts';
import type { ProbeKind } from '../../engine/timeline.ts';
import type { KubeletContainer, KubeletPod } from '../../kubelet/index.ts';

export interface ProberOptions {
  readonly clock: Clock;
  readonly actor: string;
  /** When the kubelet started, in milliseconds since the epoch. */
  readonly kubeletStart: number;
  /** The kubelet's status of the pod, with the exact start times of its containers. */
  readStatus(): PodStatus | undefined;
  isDeleted(): boolean;
  answers(containerID: string, kind: ProbeKind): boolean;
  /** A stored result changed. */
  onResult(outcome: ProbeOutcome): void;
}

export interface ProbeOutcome {
  readonly kind: ProbeKind;
  readonly container: string;
  readonly containerID: string;
  /** Undefined if the worker has ended. */
  readonly result: ProbeResult | undefined;
  /** Whether a probe ran, in contrast to the first result of a container. */
  readonly isAnswer: boolean;
}

/** The probes of one pod: a worker per probe. Mirrors pkg/kubelet/prober (1.36) around `createProbe`. */
export interface Prober {
  /** Starts the workers of probes that have none. */
  add(pod: KubeletPod): void;
  /** Stops the workers of these kinds. */
  stop(kinds: readonly ProbeKind[]): void;
  result(kind: ProbeKind, containerID: string): ProbeResult | undefined;
  isWorkedOn(kind: ProbeKind, name: string): boolean;
  /** Runs a readiness probe now, and then again after its period. */
  runAtOnce(name: string): void;
}

interface ProbeWorker {
  readonly kind: ProbeKind;
  readonly name: string;
  readonly machine: ProbeMachine;
  /** In milliseconds. */
  readonly timeout: number;
  state: ProbeMachine['start'];
  next?: Timer;
  probing?: Timer | undefined;
}

const kinds: readonly ProbeKind[] = ['startup', 'readiness', 'liveness'];

export function createProber(options: ProberOptions): Prober {
  const { clock } = options;
  const workers = new Map<string, ProbeWorker>();
  const drop = (worker: ProbeWorker): void => {
    worker.next?.cancel();
    worker.probing?.cancel();
    workers.delete(`${worker.kind} ${worker.name}`);
  };
  const tick = (worker: ProbeWorker): void => {
    worker.next?.cancel();
    const period = worker.machine.periodSeconds * 1000;
    worker.next = clock.at(clock.now() + period, () => tick(worker));
    if (worker.probing) return;
    const { state, probes } = runTick(worker, options);
    setState(worker, state, false, options);
    if (state.ended) drop(worker);
    else if (probes) probe(worker, options);
  };
  return {
    add(pod) {
      const containers = [...(pod.spec?.containers ?? []), ...(pod.spec?.initContainers ?? []).filter(isSidecar)];
      for (const container of containers)
        for (const kind of kinds) {
          const key = `${kind} ${container.name}`;
          if (!container[`${kind}Probe`] || workers.has(key)) continue;
          const worker = createWorker(kind, pod, container, options);
          workers.set(key, worker);
          clock.at(clock.now(), () => tick(worker));
        }
    },
    stop(stopped) {
      for (const worker of [...workers.values()]) if (stopped.includes(worker.kind)) drop(worker);
    },
    result(kind, containerID) {
      for (const { state, kind: each } of workers.values()) if (each === kind && state.containerID === containerID) return state.result;
      return undefined;
    },
    isWorkedOn: (kind, name) => workers.has(`${kind} ${name}`),
    runAtOnce(name) {
      const worker = workers.get(`readiness ${name}`);
      if (!worker) return;
      worker.next?.cancel();
      worker.next = clock.at(clock.now(), () => tick(worker));
    },
  };
}

function createWorker(kind: ProbeKind, pod: KubeletPod, container: KubeletContainer, { kubeletStart }: ProberOptions): ProbeWorker {
  const name = container.name ?? '';
  const machine = createProbe({ kind, pod, container: name, kubeletStart: new Date(kubeletStart).toISOString() });
  const { timeoutSeconds } = container[`${kind}Probe`] as { readonly timeoutSeconds?: number };
  return { kind, name, machine, timeout: (timeoutSeconds ?? 1) * 1000, state: machine.start };
}

function runTick({ machine, state }: ProbeWorker, { clock, readStatus, isDeleted }: ProberOptions): ReturnType<ProbeMachine['tick']> {
  const status = readStatus();
  return machine.tick(state, { now: new Date(clock.now()).toISOString(), ...(status && { status }), deleted: isDeleted() });
}

/** Runs a probe: its result arrives after a delay of "probe", or it fails at its timeout. */
function probe(worker: ProbeWorker, options: ProberOptions): void {
  const { clock, actor } = options;
  const { containerID } = worker.state;
  const delay = clock.draw({ name: 'probe', actor });
  worker.probing = clock.at(clock.now() + Math.min(delay, worker.timeout), () => {
    worker.probing = undefined;
    const isSuccess = delay <= worker.timeout && options.answers(containerID, worker.kind);
    setState(worker, worker.machine.answer(worker.state, isSuccess ? 'success' : 'failure'), true, options);
  });
}

function setState(worker: ProbeWorker, state: ProbeMachine['start'], isAnswer: boolean, { onResult }: ProberOptions): void {
  const previous = worker.state;
  worker.state = state;
  if (previous.result === state.result && previous.containerID === state.containerID) return;
  onResult({ kind: worker.kind, container: worker.name, containerID: state.containerID, result: state.result, isAnswer });
}
