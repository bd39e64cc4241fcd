import type { LoadBalancerIngress } from '../../src/load-balancer/objects.ts';
import type { Effect, Steps } from '../../src/load-balancer/planner.ts';

export interface Played<Result> {
  /** "ensure n0 n1", "patch {...}", "Normal EnsuredLoadBalancer: Ensured load balancer". */
  readonly said: readonly string[];
  readonly result?: Result;
  readonly error?: unknown;
}

type Answer = (effect: Effect) => unknown;

/** Runs steps to their end. The script answers effects by kind, or throws; effects without an answer succeed. */
export function play<Result>(steps: Steps<Result>, script: Partial<Record<Effect['do'], Answer>> = {}): Played<Result> {
  const said: string[] = [];
  try {
    let step = steps.next();
    while (!step.done) {
      const effect = step.value;
      said.push(textOf(effect));
      let answer: unknown;
      try {
        answer = (script[effect.do] ?? usual[effect.do])?.(effect);
      } catch (error) {
        step = steps.throw(error);
        continue;
      }
      step = steps.next(answer);
    }
    return { said, result: step.value };
  } catch (error) {
    return { said, error };
  }
}

/** An answer that throws. */
export const fails =
  (error: unknown): Answer =>
  () => {
    throw error;
  };

export const status: { readonly ingress: readonly LoadBalancerIngress[] } = { ingress: [{ ip: '203.0.113.1' }] };

const usual: Partial<Record<Effect['do'], Answer>> = { get: () => status, ensure: () => status };

function textOf(effect: Effect): string {
  if (effect.do === 'event') return `${effect.type} ${effect.reason}: ${effect.message}`;
  if (effect.do === 'patch') return `patch ${JSON.stringify(effect.patch)}`;
  return [effect.do, ...('nodes' in effect ? effect.nodes.map(({ metadata }) => metadata?.name) : [])].join(' ');
}
