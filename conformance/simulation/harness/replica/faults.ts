import type { FaultRule } from '@kube-endpoints/apiserver';
import type { FaultRates } from '../setting.ts';

/** The fault rules for the calls of one replica. */
export function createFaultRules({ refused, down, broken }: FaultRates): FaultRule[] {
  const when = { chance: refused };
  const refusals: FaultRule[] = [
    { fault: 'conflict', when },
    { fault: 'tooManyRequests', retryAfterSeconds: 1, when },
    { fault: 'internalError', when },
    { fault: 'unavailable', when },
    { fault: 'timeout', when },
  ];
  const breaks: FaultRule[] = [
    { fault: 'dropWatch', afterMilliseconds: [0, 30_000], when: { chance: broken } },
    { fault: 'dropWatch', afterEvents: [0, 20], broken: true, when: { chance: broken } },
    { fault: 'stallWatch', afterMilliseconds: [0, 10_000], forMilliseconds: [1000, 60_000], when: { chance: broken } },
    { fault: 'expired', when: { chance: broken } },
  ];
  return [
    ...(refused > 0 ? refusals : []),
    ...(down > 0 ? [{ fault: 'crash', downMilliseconds: [100, 5000], when: { chance: down } } as const] : []),
    ...(broken > 0 ? breaks : []),
  ];
}
