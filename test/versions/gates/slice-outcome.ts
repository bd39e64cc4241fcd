import type { SlicePlan } from '../../../src/spec/slices/plan.ts';
import type { Endpoint, EndpointSlice, EndpointSliceInput } from '../../../src/types/index.ts';
import type { SliceAspect, SliceGateFixture } from '../slice-gate-fixture.ts';

/** A sync of the objects of a fixture, with its own reconciler state. */
export type Sync = (current: readonly EndpointSliceInput[]) => SlicePlan;

/** The compared aspect in the plan of the last sync. */
export function outcomeOf({ earlierSlices, current = [], aspect }: SliceGateFixture, sync: Sync): unknown {
  if (earlierSlices) sync(earlierSlices);
  return aspect === 'accepted' ? true : aspects[aspect](sync(current));
}

const writtenSlices = ({ create, update }: SlicePlan): EndpointSlice[] => [...create, ...update];
const writtenEndpoints = (plan: SlicePlan): Endpoint[] =>
  writtenSlices(plan)
    .flatMap(({ endpoints }) => endpoints)
    .sort((a, b) => `${a.addresses[0]}`.localeCompare(`${b.addresses[0]}`));

const aspects: Readonly<Record<Exclude<SliceAspect, 'accepted'>, (plan: SlicePlan) => unknown>> = {
  writes: (plan) => ({ create: plan.create.length, update: plan.update.length, delete: plan.delete.length }),
  retry: ({ retry }) => retry,
  events: ({ events }) => events.map(({ reason }) => reason),
  addresses: (plan) => writtenEndpoints(plan).flatMap(({ addresses }) => addresses),
  conditions: (plan) => writtenEndpoints(plan).map(({ conditions }) => conditions),
  hints: (plan) => Object.fromEntries(writtenEndpoints(plan).map(({ addresses, hints }) => [addresses[0], hints ?? null])),
  ports: (plan) => writtenSlices(plan)[0]?.ports ?? [],
  annotations: (plan) => writtenSlices(plan)[0]?.metadata.annotations ?? {},
};
