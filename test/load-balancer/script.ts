import type { LoadBalancerIngress } from '../../src/load-balancer/objects.ts';
import type { Effect, Steps } from '../../src/load-balancer/planner.ts';

export interface PlayResult<Result> {
  /** "ensure n0 n1", "patch {...}", "Normal EnsuredLoadBalancer: Ensured load balancer". */
  readonly log: readonly string[];
  readonly result?: Result;
  readonly error?: unknown;
}

type Answer = (effect: Effect) => unknown;

/** Runs steps to their end. The script answers effects by kind, or throws; effects without an answer succeed. */
export function play<Result>(steps: Steps<Result>, script: Partial<Record<Effect['do'], Answer>> = {}): PlayResult<Result> {
  const log: string[] = [];
  try {
    let step = steps.next();
    while (!step.done) {
      const effect = step.value;
      log.push(textOf(effect));
      let answer: unknown;
      try {
        answer = (script[effect.do] ?? defaults[effect.do])?.(effect);
      } catch (error) {
        step = steps.throw(error);
        continue;
      }
      step = steps.next(answer);
    }
    return { log, result: step.value };
  } catch (error) {
    return { log, error };
  }
}

/** An answer that throws. */
export const createFailingAnswer =
  (error: unknown): Answer =>
  () => {
    throw error;
  };

export const status: { readonly ingress: readonly LoadBalancerIngress[] } = { ingress: [{ ip: '203.0.113.1' }] };

const defaults: Partial<Record<Effect['do'], Answer>> = { get: () => status, ensure: () => status };

function textOf(effect: Effect): string {
  if (effect.do === 'event') return `${effect.type} ${effect.reason}: ${effect.message}`;
  if (effect.do === 'patch') return `patch ${JSON.stringify(effect.patch)}`;
  return [effect.do, ...('nodes' in effect ? effect.nodes.map(({ metadata }) => metadata?.name) : [])].join(' ');
}
