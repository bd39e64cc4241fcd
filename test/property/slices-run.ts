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

/** The input of a step, with its pods as a list. */
export type ListedInput = SlicesInput & { readonly pods: readonly Pod[] };

/** The outcome of one step. */
export interface Step {
  readonly input: ListedInput;
  /** The slices after the plan was applied. */
  readonly after: readonly EndpointSliceInput[];
  /** The plan of the reconciler that processes all steps. */
  readonly plan: SlicePlan;
  /** The plan after the first plan was applied. */
  readonly next: SlicePlan;
  /** The plan of a new reconciler for this step only, with copies of all inputs. */
  readonly fresh: () => SlicePlan;
}

/** Runs the steps with one reconciler and a store that contains foreign slices, and passes each step to `check`. */
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

/** The slices, in a different order each time, and the same array of pods. */
function inputOf({ service, pods, nodes }: World, store: SliceStore, turn: number): ListedInput {
  const current = store.list();
  const by = turn % current.length;
  return { key, service, pods, nodes, current: [...current.slice(by), ...current.slice(0, by)] };
}

/** A deep copy, frozen recursively to detect writes. */
export const copyOf = (input: ListedInput): ListedInput => freezeDeeply(structuredClone(input));

function tell(reconciler: Reconciler, store: SliceStore, plan: SlicePlan): void {
  const { written, deleted } = store.apply(plan);
  for (const slice of written) reconciler.observe(slice);
  for (const slice of deleted) reconciler.expectDeletion(slice);
  for (const slice of deleted) if (!reconciler.handleDeletion(slice)) throw new Error('a deletion that was expected is not');
}

const triggerTime = 'endpoints.kubernetes.io/last-change-trigger-time';

/** The part of a plan that does not depend on earlier syncs: no trigger times, Events or reasons about them. */
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

/** Adds pods between the given ones that the Service does not select. */
export const withStrangers = (pods: readonly Pod[]): Pod[] =>
  pods.flatMap((pod, i) => [
    pod,
    { metadata: { name: `stranger-${i}`, namespace: i % 2 === 0 ? 'shop' : 'other', labels: { app: i % 2 === 0 ? 'stranger' : 'web' } } },
  ]);
