import { cleanUpPod, type TerminationSteps, terminatePod } from '@kube-endpoints/simulator/internal';
import type { TerminationCase } from './case.ts';

export function replayTermination({ gracePeriod, failing, killLasts, volumesExist }: TerminationCase): unknown {
  const calls: object[] = [];
  let now = 0;
  const run = (steps: TerminationSteps): boolean => {
    let next = steps.next();
    while (!next.done) {
      const { value: step } = next;
      calls.push({ ...step, at: now });
      const fails = failing.includes(step.do) || (step.do === 'readRuntimeStatus' && failing.includes('end'));
      if (step.do === 'killPod') now += killLasts;
      if (step.do === 'unmountVolumes' && !fails) now += Math.ceil(volumesExist / 100) * 100;
      next = steps.next(!fails);
    }
    return next.value;
  };
  const isTerminated = run(terminatePod(gracePeriod));
  if (isTerminated) calls.push({ do: 'terminated' });
  return { failed: !isTerminated || !run(cleanUpPod()), calls };
}
