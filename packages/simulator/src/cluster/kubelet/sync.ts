import type { ApiObject } from 'kube-endpoints/port';
import {
  checkRestartBackOff,
  type KubeletContainer,
  type KubeletPod,
  type SyncResult,
  type SyncStep,
  shouldAllContainersRestart,
  syncPod,
} from '../../kubelet/index.ts';
import type { PodHost } from './context.ts';
import { type KillContext, runKill, runKillPod } from './kill.ts';
import { setStatus } from './pod-status.ts';

/** A running sync of a pod. */
export interface SyncContext {
  readonly host: PodHost;
  readonly pod: KubeletPod;
  isCancelled(): boolean;
}

/** Answers a step. */
export type Answer = (succeeded: boolean) => void;

interface SyncFailures {
  failed: boolean;
  /** Whether a container failed for another reason than its back-off. */
  hasOthers: boolean;
  backOffUntil?: number;
}

/** Syncs a running pod: its status, its probes, and then its containers. Mirrors `SyncPod` (1.36, pkg/kubelet/kubelet.go). */
export function runSync(context: SyncContext, onEnd: (result: SyncResult) => void): void {
  const { host, pod } = context;
  const { phase } = setStatus(host, pod, false);
  if (phase === 'Succeeded' || phase === 'Failed') {
    onEnd({ result: 'done', terminal: true });
    return;
  }
  host.prober.add(pod);
  const failures: SyncFailures = { failed: false, hasOthers: false };
  const steps = syncPod({
    pod,
    status: host.read,
    liveness: resultsOf(host, 'liveness'),
    startup: resultsOf(host, 'startup'),
    actuated: host.actuated,
    restartAllContainers: shouldAllContainersRestart(pod, host.read),
  });
  runSteps(
    context,
    steps,
    (step, answer) => (handlers[step.do] as StepHandler)(context, step, answer, failures),
    () => onEnd(resultOf(failures)),
  );
}

/** Runs steps one after another until the sync is cancelled. */
export function runSteps<Step, Result>(
  { isCancelled }: SyncContext,
  steps: Generator<Step, Result, boolean>,
  run: (step: Step, answer: Answer) => void,
  onEnd: (result: Result) => void,
): void {
  const handle = (next: IteratorResult<Step, Result>): void => {
    if (isCancelled()) return;
    if (next.done) onEnd(next.value);
    else run(next.value, (succeeded) => handle(steps.next(succeeded)));
  };
  handle(steps.next(true));
}

const resultsOf = ({ read, prober }: PodHost, kind: 'liveness' | 'startup'): Record<string, 'success' | 'failure' | 'unknown'> =>
  Object.fromEntries(
    read.containers.flatMap(({ id }) => {
      const result = prober.result(kind, id);
      return result ? [[id, result]] : [];
    }),
  );

function resultOf({ failed, hasOthers, backOffUntil }: SyncFailures): SyncResult {
  if (!failed) return { result: 'done' };
  return { result: 'failed', ...(!hasOthers && backOffUntil !== undefined && { backOffUntil }) };
}

type StepHandler<Step = SyncStep> = (context: SyncContext, step: Step, answer: Answer, failures: SyncFailures) => void;

/** What each step does. Stopping and removing a sandbox or container takes no time of its own. */
const handlers: { readonly [Do in SyncStep['do']]: StepHandler<Extract<SyncStep, { do: Do }>> } = {
  killPod: (context, _step, answer) => killPod(context, undefined, answer),
  killContainer(context, { container, gracePeriodOverride }, answer) {
    runKill({ ...killContextOf(context), gracePeriodOverride }, container, () => answer(true));
  },
  removeContainer({ host }, { id }, answer) {
    host.runtime.remove(id);
    answer(true);
  },
  createSandbox(context, { attempt }, answer) {
    waitForCreation(context, () => {
      const { host, pod } = context;
      host.runtime.createSandbox(attempt);
      if (pod.spec?.resources) host.actuated.pod = pod.spec.resources;
      answer(true);
    });
  },
  resize({ host, pod: { spec } }, _step, answer) {
    const containers = [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])];
    if (spec?.resources) host.actuated.pod = spec.resources;
    for (const { name, resources } of containers) host.actuated.containers[name ?? ''] = resources ?? {};
    answer(true);
  },
  startContainer: (context, { container }, answer, failures) => startContainer(context, container, answer, failures),
};

/** Kills all containers of a pod, and stops its sandboxes. */
export function killPod(context: SyncContext, gracePeriodOverride: number | undefined, answer: Answer): void {
  runKillPod({ ...killContextOf(context), gracePeriodOverride }, () => {
    context.host.runtime.stopSandboxes();
    answer(true);
  });
}

const killContextOf = ({ host, pod }: SyncContext): KillContext => ({
  ...{ clock: host.node.clock, actor: host.node.actor, runtime: host.runtime, ref: host.ref, pod },
  onKilling: (message) =>
    void host.node.clock.record({ type: 'event', actor: host.node.actor, object: pod as ApiObject, reason: 'Killing', message }),
});

function waitForCreation({ host: { node }, isCancelled }: SyncContext, onCreated: () => void): void {
  node.clock.after({ name: 'containerCreation', actor: node.actor }, () => {
    if (!isCancelled()) onCreated();
  });
}

/** Mirrors `start` of `SyncPod` and `startContainer` (1.36, pkg/kubelet/kuberuntime). */
function startContainer(context: SyncContext, container: KubeletContainer, answer: Answer, failures: SyncFailures): void {
  const { host, pod } = context;
  const name = container.name ?? '';
  const fail = (reason: string, message: string, until?: number): void => {
    host.failures.set(name, { reason, message });
    failures.failed = true;
    if (until === undefined) failures.hasOthers = true;
    else failures.backOffUntil = Math.min(failures.backOffUntil ?? until, until);
    answer(false);
  };
  const delay = checkRestartBackOff(pod, container, host.read, host.node.backOff);
  if (delay) {
    fail('CrashLoopBackOff', delay.message, delay.until);
    return;
  }
  host.node.images.pull(pod, container, (error) => {
    if (context.isCancelled()) return;
    if (error) fail(error.reason, error.message);
    else waitForCreation(context, () => runContainer(host, container, answer));
  });
}

function runContainer(host: PodHost, container: KubeletContainer, answer: Answer): void {
  const name = container.name ?? '';
  const previous = host.runtime.snapshot().containers.find((each) => each.name === name);
  host.failures.delete(name);
  host.actuated.containers[name] = container.resources ?? {};
  host.runtime.start(container, previous ? previous.restartCount + 1 : 0);
  answer(true);
}
