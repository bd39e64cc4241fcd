import type { FaultRule } from '@kube-endpoints/apiserver';
import type { FaultRates } from '../settings.ts';

/** The fault rules for the calls of one replica. */
export function createFaultRules({ errorAnswer, serverDown, brokenWatch }: FaultRates): FaultRule[] {
  const when = { chance: errorAnswer };
  const errorAnswers: FaultRule[] = [
    { fault: 'conflict', when },
    { fault: 'tooManyRequests', retryAfterSeconds: 1, when },
    { fault: 'internalError', when },
    { fault: 'unavailable', when },
    { fault: 'timeout', when },
  ];
  const watchFaults: FaultRule[] = [
    { fault: 'dropWatch', afterMilliseconds: [0, 30_000], when: { chance: brokenWatch } },
    { fault: 'dropWatch', afterEvents: [0, 20], broken: true, when: { chance: brokenWatch } },
    { fault: 'stallWatch', afterMilliseconds: [0, 10_000], forMilliseconds: [1000, 60_000], when: { chance: brokenWatch } },
    { fault: 'expired', when: { chance: brokenWatch } },
  ];
  return [
    ...(errorAnswer > 0 ? errorAnswers : []),
    ...(serverDown > 0 ? [{ fault: 'crash', downMilliseconds: [100, 5000], when: { chance: serverDown } } as const] : []),
    ...(brokenWatch > 0 ? watchFaults : []),
  ];
}
