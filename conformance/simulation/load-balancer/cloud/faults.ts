import type { Fault } from '@kube-endpoints/controllers/clouds';
import type { CloudCall } from '../../../../packages/controllers/src/clouds/memory/answer.ts';
import type { Random } from '../../../model/random.ts';
import type { CloudWeather, Setting } from '../setting.ts';

/** The faults of the cloud, for each call. */
export interface CloudFaults {
  next(call: CloudCall): Fault | undefined;
  /** Makes every call fail until a time. */
  outage(until: number): void;
}

export interface CloudFaultsOptions {
  readonly random: Random;
  readonly setting: Setting;
  readonly weather: () => CloudWeather;
  readonly now: () => number;
}

/** The cloud reports that Services with these names belong to another controller. */
export const isElsewhere = (name: string): boolean => name.startsWith('else');

export function createCloudFaults({ random, setting, weather, now }: CloudFaultsOptions): CloudFaults {
  const { cloudTimeout, isPrompt } = setting;
  let outageUntil = 0;
  const faults: Readonly<Record<Trouble, () => Fault>> = {
    hang: () => ({ fault: 'hang', forGood: random.chance(0.5) }),
    // a call that outlives its sender must take effect before its successor verifies everything
    slow: () => ({ fault: 'latency', milliseconds: isPrompt ? random.below(5000) : random.below(cloudTimeout * 0.9) }),
    late: () => ({ fault: 'late', milliseconds: 1 + random.below(cloudTimeout * 0.4), unlessSuperseded: random.chance(0.2) }),
    fails: () => random.pick<() => Fault>(failures)(),
    garbled: () => (random.chance(0.5) ? { fault: 'failsAfterEffect' } : { fault: 'malformed' }),
    loses: () => ({ fault: 'lose' }),
  };
  const failures: readonly (() => Fault)[] = [
    () => ({ fault: 'throw' }),
    () => ({ fault: 'throw', error: random.pick(['quota exceeded', undefined, null, { code: 429 }, new Error('socket hang up')]) }),
    () => ({ fault: 'retryAfter', milliseconds: random.below(60_000) }),
  ];
  return {
    next({ verb, reference }) {
      if (reference && isElsewhere(reference.name) && (verb === 'ensure' || verb === 'update')) return { fault: 'elsewhere' };
      if (now() < outageUntil) return { fault: 'throw' };
      const chances = weather();
      const trouble = troubles.find((each) => random.chance(chances[each]));
      return trouble && faults[trouble]();
    },
    outage(until) {
      outageUntil = until;
    },
  };
}

type Trouble = 'hang' | 'slow' | 'late' | 'fails' | 'garbled' | 'loses';

const troubles: readonly Trouble[] = ['hang', 'slow', 'late', 'fails', 'garbled', 'loses'];
