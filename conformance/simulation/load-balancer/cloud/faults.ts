import type { Fault } from '@kube-endpoints/controllers/clouds';
import type { CloudCall } from '../../../../packages/controllers/src/clouds/memory/answer.ts';
import type { Random } from '../../../model/random.ts';
import type { CloudFaultRates, Settings } from '../settings.ts';

/** Chooses the fault of each cloud call. */
export interface CloudFaults {
  next(call: CloudCall): Fault | undefined;
  /** Makes every call fail until this simulated time. */
  startOutage(until: number): void;
}

export interface CloudFaultsOptions {
  readonly random: Random;
  readonly settings: Settings;
  readonly faultRates: () => CloudFaultRates;
  readonly now: () => number;
}

/** Whether the cloud reports that another controller handles the Services of this name. */
export const isHandledElsewhere = (name: string): boolean => name.startsWith('else');

export function createCloudFaults({ random, settings, faultRates, now }: CloudFaultsOptions): CloudFaults {
  const { cloudTimeout, hasPromptCalls } = settings;
  let outageUntil = 0;
  const faults: Readonly<Record<CloudFaultName, () => Fault>> = {
    hang: () => ({ fault: 'hang', forGood: random.chance(0.5) }),
    // A call of a killed process must take effect before its successor checks all load balancers.
    slowCall: () => ({ fault: 'latency', milliseconds: hasPromptCalls ? random.below(5000) : random.below(cloudTimeout * 0.9) }),
    lateEffect: () => ({ fault: 'late', milliseconds: 1 + random.below(cloudTimeout * 0.4), unlessSuperseded: random.chance(0.2) }),
    failure: () => random.pick<() => Fault>(failures)(),
    invalidAnswer: () => (random.chance(0.5) ? { fault: 'failsAfterEffect' } : { fault: 'malformed' }),
    lostBalancer: () => ({ fault: 'lose' }),
  };
  const failures: readonly (() => Fault)[] = [
    () => ({ fault: 'throw' }),
    () => ({ fault: 'throw', error: random.pick(['quota exceeded', undefined, null, { code: 429 }, new Error('socket hang up')]) }),
    () => ({ fault: 'retryAfter', milliseconds: random.below(60_000) }),
  ];
  return {
    next({ verb, reference }) {
      if (reference && isHandledElsewhere(reference.name) && (verb === 'ensure' || verb === 'update')) return { fault: 'elsewhere' };
      if (now() < outageUntil) return { fault: 'throw' };
      const rates = faultRates();
      const faultName = faultNames.find((each) => random.chance(rates[each]));
      return faultName && faults[faultName]();
    },
    startOutage(until) {
      outageUntil = until;
    },
  };
}

type CloudFaultName = 'hang' | 'slowCall' | 'lateEffect' | 'failure' | 'invalidAnswer' | 'lostBalancer';

const faultNames: readonly CloudFaultName[] = ['hang', 'slowCall', 'lateEffect', 'failure', 'invalidAnswer', 'lostBalancer'];
