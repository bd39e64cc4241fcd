import type { SlicePlan } from 'kube-endpoints';
import type { SteadyClock } from 'kube-endpoints/port';
import type { Happening } from '../../src/happening.ts';

type Of<Kind extends Happening['kind']> = Extract<Happening, { kind: Kind }>;
export type PlannedSlices = Extract<Happening, { kind: 'planned'; controller: 'endpointslices' }>;

export const queued = (rest: Partial<Of<'queued'>> = {}): Happening => ({
  kind: 'queued',
  queue: 'endpoints',
  key: 'shop/web',
  length: 1,
  retry: false,
  ...rest,
});

export const taken = (rest: Partial<Of<'taken'>> = {}): Happening => ({
  kind: 'taken',
  queue: 'endpoints',
  key: 'shop/web',
  length: 0,
  waited: 20,
  ...rest,
});

export const synced = (rest: Partial<Of<'synced'>> = {}): Happening => ({
  kind: 'synced',
  controller: 'endpoints',
  key: 'shop/web',
  outcome: 'success',
  milliseconds: 12.3456,
  writes: 0,
  failures: 0,
  ...rest,
});

export const emptyPlan: SlicePlan = { create: [], update: [], delete: [], events: [], retry: false, reasons: [] };

export const plannedSlices = (rest: Partial<PlannedSlices> = {}): Happening => ({
  kind: 'planned',
  controller: 'endpointslices',
  key: 'shop/web',
  plan: emptyPlan,
  there: 0,
  desired: 0,
  ...rest,
});

export const informer = (rest: Partial<Of<'informer'>> = {}): Happening => ({
  kind: 'informer',
  resource: 'pods',
  state: 'watching',
  objects: 3,
  ...rest,
});

/** A clock that stands still until it is moved. */
export function standingClock(): SteadyClock & { pass(milliseconds: number): void } {
  let time = 1_000_000;
  return {
    now: () => time,
    elapsed: () => time,
    schedule: () => ({ cancel: () => undefined }),
    pass(milliseconds) {
      time += milliseconds;
    },
  };
}
