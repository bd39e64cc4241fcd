import { createRandom, type Random } from '../../../../../conformance/oracle/random.ts';

/** Reserves one token at a time, or cancels the reservation of an earlier step. */
export interface BucketStep {
  /** Nanoseconds since the start, ascending. */
  readonly at: number;
  /** The index of the step that reserved. */
  readonly cancel?: number;
}

export interface BucketCase {
  readonly id: string;
  readonly qps: number;
  readonly burst: number;
  readonly steps: readonly BucketStep[];
}

export interface BucketResult {
  readonly id: string;
  readonly steps: readonly {
    /** Nanoseconds until the request may be sent; absent for a cancellation. */
    readonly delay?: number;
    /** Tokens after the step; negative while requests wait. */
    readonly tokens: number;
  }[];
}

/** 120 cases, always the same ones; the first is the default of kube-controller-manager under a burst of 100 requests. */
export function createBucketCases(): readonly BucketCase[] {
  const burst = { id: 'burst', qps: 20, burst: 30, steps: Array.from({ length: 100 }, () => ({ at: 0 })) };
  return [burst, ...Array.from({ length: 119 }, (_, i) => createRandomCase(`random ${i}`, createRandom(20, i)))];
}

function createRandomCase(id: string, random: Random): BucketCase {
  const qps = random.pick([20, 20, 5, 1, 0.1, 0.3, 33.3, 100, 1000, 2e6]);
  const burst = random.pick([30, 30, 10, 1, 2, 100]);
  const isCancelling = random.chance(0.7);
  const steps: BucketStep[] = [];
  let at = random.int(2_000_000_000);
  for (let i = 0; i < 60; i++) {
    at += random.chance(0.4) ? 0 : random.int(random.pick([1000, 1_000_000, 100_000_000, 3_000_000_000]));
    const reserved = steps.flatMap((step, index) => (step.cancel === undefined ? index : []));
    const cancel = isCancelling && reserved.length > 0 && random.chance(0.25) ? random.pick(reserved.slice(-6)) : undefined;
    steps.push(cancel === undefined ? { at } : { at, cancel });
  }
  return { id, qps, burst, steps };
}
