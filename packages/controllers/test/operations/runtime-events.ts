import type { SlicePlan } from 'kube-endpoints';
import type { SteadyClock } from 'kube-endpoints/port';
import type { RuntimeEvent } from '../../src/host/runtime-event.ts';

type EventOf<Kind extends RuntimeEvent['kind']> = Extract<RuntimeEvent, { kind: Kind }>;
export type PlannedSlices = Extract<RuntimeEvent, { kind: 'planned'; controller: 'endpointslices' }>;

export const queuedEvent = (fields: Partial<EventOf<'queued'>> = {}): RuntimeEvent => ({
  kind: 'queued',
  queue: 'endpoints',
  key: 'shop/web',
  length: 1,
  retry: false,
  ...fields,
});

export const takenEvent = (fields: Partial<EventOf<'taken'>> = {}): RuntimeEvent => ({
  kind: 'taken',
  queue: 'endpoints',
  key: 'shop/web',
  length: 0,
  waited: 20,
  ...fields,
});

export const syncedEvent = (fields: Partial<EventOf<'synced'>> = {}): RuntimeEvent => ({
  kind: 'synced',
  controller: 'endpoints',
  key: 'shop/web',
  outcome: 'success',
  milliseconds: 12.3456,
  writes: 0,
  failures: 0,
  ...fields,
});

export const emptyPlan: SlicePlan = { create: [], update: [], delete: [], events: [], retry: false, reasons: [] };

export const plannedSlicesEvent = (fields: Partial<PlannedSlices> = {}): RuntimeEvent => ({
  kind: 'planned',
  controller: 'endpointslices',
  key: 'shop/web',
  plan: emptyPlan,
  existing: 0,
  desired: 0,
  ...fields,
});

export const informerEvent = (fields: Partial<EventOf<'informer'>> = {}): RuntimeEvent => ({
  kind: 'informer',
  resource: 'pods',
  state: 'watching',
  objects: 3,
  ...fields,
});

/** A clock that does not advance by itself. */
export function createStoppedClock(): SteadyClock & { pass(milliseconds: number): void } {
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
