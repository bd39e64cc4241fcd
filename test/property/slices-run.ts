import { createReconciler, type Reconciler, type SlicePlan, type SlicesInput } from '../../src/index.ts';
import type { EndpointSlice, EndpointSliceInput, Pod } from '../../src/types/index.ts';
import { freezeDeeply } from './check.ts';
import { applyChange, type Change, createCluster, foreignSlices, type TestCluster } from './slices-cluster.ts';
import { createSliceStore, type SliceStore, toCanonicalJson } from './slices-store.ts';

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
  readonly slicesAfter: readonly EndpointSliceInput[];
  /** The plan of the reconciler that processes all steps. */
  readonly plan: SlicePlan;
  /** The plan after the first plan was applied. */
  readonly nextPlan: SlicePlan;
  /** The plan of a new reconciler for this step only, with copies of all inputs. */
  readonly freshPlan: () => SlicePlan;
}

/** Runs the steps with one reconciler and a store that contains foreign slices, and passes each step to `check`. */
export function runSteps(steps: readonly (readonly Change[])[], options: RunOptions, check: (step: Step) => void): void {
  const cluster = createCluster();
  const store = createSliceStore();
  for (const slice of foreignSlices) store.add(slice);
  const reconciler = createReconciler(options);
  for (const [i, changes] of steps.entries()) {
    for (const each of changes) applyChange(cluster, each);
    const input = createInput(cluster, store, i);
    const inputCopy = copyOf(input);
    const plan = reconciler.reconcileSlices(input);
    applyAndObserve(reconciler, store, plan);
    const after = copyOf(createInput(cluster, store, i));
    const next = reconciler.reconcileSlices(createInput(cluster, store, i + 1));
    check({
      input: inputCopy,
      slicesAfter: after.current,
      plan,
      nextPlan: next,
      freshPlan: () => createReconciler(options).reconcileSlices(inputCopy),
    });
    applyAndObserve(reconciler, store, next);
  }
}

/** Returns the slices, in a different order for each round, and the same array of pods. */
function createInput({ service, pods, nodes }: TestCluster, store: SliceStore, round: number): ListedInput {
  const current = store.list();
  const offset = round % current.length;
  return { key, service, pods, nodes, current: [...current.slice(offset), ...current.slice(0, offset)] };
}

/** A deep copy, frozen recursively to detect writes. */
export const copyOf = (input: ListedInput): ListedInput => freezeDeeply(structuredClone(input));

function applyAndObserve(reconciler: Reconciler, store: SliceStore, plan: SlicePlan): void {
  const { written, deleted } = store.apply(plan);
  for (const slice of written) reconciler.observe(slice);
  for (const slice of deleted) reconciler.expectDeletion(slice);
  for (const slice of deleted)
    if (!reconciler.handleDeletion(slice)) throw new Error('handleDeletion does not expect a confirmed deletion');
}

const triggerTimeAnnotation = 'endpoints.kubernetes.io/last-change-trigger-time';

/** The part of a plan that does not depend on earlier syncs: no trigger times, Events or reasons about them. */
export const formatStableContent = ({ create, update, delete: toDelete, retry, reasons }: SlicePlan): string =>
  toCanonicalJson({
    create: create.map(withoutTime),
    update: update.map(withoutTime),
    delete: toDelete,
    retry,
    reasons: reasons.filter(({ code }) => code !== 'HintsEnabled' && code !== 'HintsDisabled'),
  });

const withoutTime = (slice: EndpointSlice): EndpointSlice => ({
  ...slice,
  metadata: {
    ...slice.metadata,
    annotations: Object.fromEntries(Object.entries(slice.metadata.annotations ?? {}).filter(([name]) => name !== triggerTimeAnnotation)),
  },
});

/** Adds a pod that the Service does not select after each given pod. */
export const withUnselectedPods = (pods: readonly Pod[]): Pod[] =>
  pods.flatMap((pod, i) => [
    pod,
    { metadata: { name: `stranger-${i}`, namespace: i % 2 === 0 ? 'shop' : 'other', labels: { app: i % 2 === 0 ? 'stranger' : 'web' } } },
  ]);
