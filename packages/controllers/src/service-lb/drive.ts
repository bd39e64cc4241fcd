import type { Effect, Steps } from 'kube-endpoints/load-balancer';
import { isEnd } from './ends.ts';

/**
 * Takes steps to their end: each effect is carried out, and its answer or its error is what the steps go on with. Where the work is to end,
 * they do not go on at all.
 * @throws what the steps throw, or the end of the work
 */
export async function drive<Result>(steps: Steps<Result>, perform: (effect: Effect) => unknown): Promise<Result> {
  let step = steps.next();
  while (!step.done) {
    let answer: unknown;
    try {
      answer = await perform(step.value);
    } catch (error) {
      if (isEnd(error)) {
        steps.return(undefined as Result);
        throw error;
      }
      step = steps.throw(error);
      continue;
    }
    step = steps.next(answer);
  }
  return step.value;
}
