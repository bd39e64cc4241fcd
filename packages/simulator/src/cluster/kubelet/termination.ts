import { cleanUpPod, type PodWork, type SyncResult, type TerminationStep, terminatePod } from '../../kubelet/index.ts';
import { setStatus } from './pod-status.ts';
import { type Answer, killPod, runSteps, type SyncContext } from './sync.ts';

/** Ends a pod, or cleans up after it. */
export function runTermination(context: SyncContext, work: PodWork, onEnd: (result: SyncResult) => void): void {
  const steps = work.do === 'terminating' ? terminatePod(work.gracePeriod) : cleanUpPod();
  const run = (step: TerminationStep, answer: Answer): void => (handlers[step.do] as StepHandler)(context, step, answer);
  runSteps(context, steps, run, (succeeded) => onEnd({ result: succeeded ? 'done' : 'failed' }));
}

type StepHandler<Step = TerminationStep> = (context: SyncContext, step: Step, answer: Answer) => void;

/** What each step does. Devices, volumes and cgroups are released at once. */
const handlers: { readonly [Do in TerminationStep['do']]: StepHandler<Extract<TerminationStep, { do: Do }>> } = {
  setStatus({ host, pod }, { finished }, answer) {
    setStatus(host, pod, finished);
    answer(true);
  },
  stopLivenessAndStartupProbes({ host }, _step, answer) {
    host.prober.stop(['liveness', 'startup']);
    answer(true);
  },
  killPod: (context, { gracePeriodOverride }, answer) => killPod(context, gracePeriodOverride, answer),
  stopProbes({ host }, _step, answer) {
    host.prober.stop(['liveness', 'startup', 'readiness']);
    answer(true);
  },
  readRuntimeStatus({ host }, _step, answer) {
    host.read = host.runtime.snapshot();
    answer(true);
  },
  releaseResources: (_context, _step, answer) => answer(true),
  unmountVolumes: (_context, _step, answer) => answer(true),
  removeCgroups: (_context, _step, answer) => answer(true),
  terminateStatus({ host, pod }, _step, answer) {
    if (host.cache.terminate(pod)) host.node.writer.notify();
    answer(true);
  },
};
