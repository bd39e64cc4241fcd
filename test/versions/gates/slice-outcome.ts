import type { SlicePlan } from '../../../src/spec/slices/plan.ts';
import type { Endpoint, EndpointSlice, EndpointSliceInput } from '../../../src/types/index.ts';
import type { SliceAspect, SliceGateFixture } from '../slice-gate-fixture.ts';

/** A sync of the objects of a fixture, with its own reconciler state. */
export type Sync = (current: readonly EndpointSliceInput[]) => SlicePlan;

/** Runs the sync, after an earlier sync if the fixture has one, and returns the compared aspect of its plan. */
export function outcomeOf({ earlierSlices, current = [], aspect }: SliceGateFixture, sync: Sync): unknown {
  if (earlierSlices) sync(earlierSlices);
  return aspect === 'accepted' ? true : aspects[aspect](sync(current));
}

const listWrittenSlices = ({ create, update }: SlicePlan): EndpointSlice[] => [...create, ...update];
const listWrittenEndpoints = (plan: SlicePlan): Endpoint[] =>
  listWrittenSlices(plan)
    .flatMap(({ endpoints }) => endpoints)
    .sort((a, b) => `${a.addresses[0]}`.localeCompare(`${b.addresses[0]}`));

const aspects: Readonly<Record<Exclude<SliceAspect, 'accepted'>, (plan: SlicePlan) => unknown>> = {
  writes: (plan) => ({ create: plan.create.length, update: plan.update.length, delete: plan.delete.length }),
  retry: ({ retry }) => retry,
  events: ({ events }) => events.map(({ reason }) => reason),
  addresses: (plan) => listWrittenEndpoints(plan).flatMap(({ addresses }) => addresses),
  conditions: (plan) => listWrittenEndpoints(plan).map(({ conditions }) => conditions),
  hints: (plan) => Object.fromEntries(listWrittenEndpoints(plan).map(({ addresses, hints }) => [addresses[0], hints ?? null])),
  ports: (plan) => listWrittenSlices(plan)[0]?.ports ?? [],
  labels: (plan) => listWrittenSlices(plan)[0]?.metadata.labels ?? {},
  versions: (plan) => listWrittenSlices(plan).map(({ apiVersion }) => apiVersion),
  nodeNames: (plan) => listWrittenEndpoints(plan).map(({ nodeName }) => nodeName ?? null),
  annotations: (plan) => listWrittenSlices(plan)[0]?.metadata.annotations ?? {},
};
