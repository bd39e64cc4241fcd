import { createReconciler, type Reconciler, type SlicePlan, type SlicesInput } from '../../src/index.ts';
import type { EndpointSlice, EndpointSliceInput, Pod } from '../../src/types/index.ts';
import { freezeDeeply } from './check.ts';
import { canonical, createSliceStore, type SliceStore } from './slices-store.ts';
import { type Change, change, createWorld, foreignSlices, type World } from './slices-world.ts';

export const key = 'shop/web';

export interface RunOptions {
  readonly version: string;
  readonly maxEndpointsPerSlice: number;
}

/** What a step is made of, its pods in a list. */
export type ListedInput = SlicesInput & { readonly pods: readonly Pod[] };

/** What one step came to. */
export interface Step {
  readonly input: ListedInput;
  /** The slices after the plan was applied. */
  readonly after: readonly EndpointSliceInput[];
  /** Of the reconciler that has been there from the beginning. */
  readonly plan: SlicePlan;
  /** A plan over what came of it. */
  readonly next: SlicePlan;
  /** The plan of a reconciler made for this step alone, over copies of everything. */
  readonly fresh: () => SlicePlan;
}

/** Goes through the steps with one reconciler, over a store with foreign slices in it, and hands each step out. */
export function runSteps(steps: readonly (readonly Change[])[], options: RunOptions, check: (step: Step) => void): void {
  const world = createWorld();
  const store = createSliceStore();
  for (const slice of foreignSlices) store.add(slice);
  const reconciler = createReconciler(options);
  for (const [i, changes] of steps.entries()) {
    for (const each of changes) change(world, each);
    const input = inputOf(world, store, i);
    const before = copyOf(input);
    const plan = reconciler.reconcileSlices(input);
    tell(reconciler, store, plan);
    const after = copyOf(inputOf(world, store, i));
    const next = reconciler.reconcileSlices(inputOf(world, store, i + 1));
    check({
      input: before,
      after: after.current,
      plan,
      next,
      fresh: () => createReconciler(options).reconcileSlices(before),
    });
    tell(reconciler, store, next);
  }
}

/** Slices come in another order each time; the list of pods is the same array, with the same objects in it. */
function inputOf({ service, pods, nodes }: World, store: SliceStore, turn: number): ListedInput {
  const current = store.list();
  const by = turn % current.length;
  return { key, service, pods, nodes, current: [...current.slice(by), ...current.slice(0, by)] };
}

/** A deep copy, frozen all the way down: what writes to it throws. */
export const copyOf = (input: ListedInput): ListedInput => freezeDeeply(structuredClone(input));

function tell(reconciler: Reconciler, store: SliceStore, plan: SlicePlan): void {
  const { written, deleted } = store.apply(plan);
  for (const slice of written) reconciler.observe(slice);
  for (const slice of deleted) reconciler.expectDeletion(slice);
  for (const slice of deleted) if (!reconciler.handleDeletion(slice)) throw new Error('a deletion that was expected is not');
}

const triggerTime = 'endpoints.kubernetes.io/last-change-trigger-time';

/** What of a plan does not depend on the syncs before: no trigger times, and nothing told to the user. */
export const essence = ({ create, update, delete: doomed, retry, reasons }: SlicePlan): string =>
  canonical({
    create: create.map(withoutTime),
    update: update.map(withoutTime),
    delete: doomed,
    retry,
    reasons: reasons.filter(({ code }) => code !== 'HintsEnabled' && code !== 'HintsDisabled'),
  });

const withoutTime = (slice: EndpointSlice): EndpointSlice => ({
  ...slice,
  metadata: {
    ...slice.metadata,
    annotations: Object.fromEntries(Object.entries(slice.metadata.annotations ?? {}).filter(([name]) => name !== triggerTime)),
  },
});

/** Pods that are none of the Service's business, between those that are. */
export const withStrangers = (pods: readonly Pod[]): Pod[] =>
  pods.flatMap((pod, i) => [
    pod,
    { metadata: { name: `stranger-${i}`, namespace: i % 2 === 0 ? 'shop' : 'other', labels: { app: i % 2 === 0 ? 'stranger' : 'web' } } },
  ]);
