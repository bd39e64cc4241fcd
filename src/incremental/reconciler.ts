import { createCustomTargetRefBuilder } from '../spec/address.ts';
import type { Plan } from '../spec/plan.ts';
import { resolveEndpointLimit, settingsFor, type TargetRefBuilder, withEndpointLimit } from '../spec/settings.ts';
import type { SlicePlan } from '../spec/slices/plan.ts';
import type { SliceOptions } from '../spec/slices/slices.ts';
import type { EndpointSliceInput, EndpointsInput, Node } from '../types/index.ts';
import { createEndpointsReconciler, type ReconcileInput } from './endpoints.ts';
import { type ReconcilerSettings, requireMinIndexedPods } from './pods.ts';
import { createSliceReconciler, type SliceReconciler, type SlicesInput } from './slices/reconciler.ts';

export interface ReconcilerOptions extends SliceOptions {
  /**
   * Builds the targetRef of addresses and endpoints, if pods stand for the caller's own workload objects; the pod by default.
   * Two pods with the same IP become one address of Endpoints if the UIDs of these references are equal or both absent.
   */
  readonly targetRef?: TargetRefBuilder | undefined;
  /**
   * The minimum number of pods for which the reconciler caches the results of a Service on a feed, so that the cost of a change does
   * not depend on their number. Each cached pod takes a few hundred bytes. 32 by default.
   */
  readonly minIndexedPods?: number | undefined;
}

/** The controllers' sync steps without I/O, with the state that they keep between syncs. */
export interface Reconciler {
  /**
   * Plans the writes that the release's endpoints controller would make now.
   * @throws TypeError for an invalid timestamp
   */
  reconcile(input: ReconcileInput): Plan;
  /**
   * Plans the writes that the release's EndpointSlice controller would make now, with as few changed slices as possible. Slices that this
   * controller does not manage, or that belong to other Services, are never in the plan.
   * @throws RangeError in releases before 1.17
   * @throws TypeError for an invalid timestamp
   */
  reconcileSlices(input: SlicesInput): SlicePlan;
  /** Records the API server's response to a create or update. Without this call, stale caches are not detected. */
  observe(written: EndpointsInput | EndpointSliceInput): void;
  /** Records that the API server confirmed the deletion of a slice. */
  expectDeletion(slice: EndpointSliceInput): void;
  /**
   * Records that the cache saw a slice deleted. Returns false for a tracked slice that this reconciler did not delete. In that case,
   * sync its Service.
   */
  handleDeletion(slice: EndpointSliceInput): boolean;
  /** The keys of Services whose topology hints no longer fit the nodes. Call it when nodes change, and sync these Services. */
  overloadedServices(nodes: readonly Node[]): string[];
  /** Drops the state of a Service; so does a sync of a deleted Service. */
  forget(key: string): void;
}

/**
 * Creates a reconciler. Use one per cluster; calls for the same key must not overlap.
 * @throws RangeError for an unknown version, or if maxEndpointsPerSlice or minIndexedPods is out of range
 */
export const createReconciler = (options: ReconcilerOptions = {}): Reconciler =>
  createReconcilerFor(
    {
      ...settingsFor(options),
      targetRef: options.targetRef && createCustomTargetRefBuilder(options.targetRef),
      minIndexedPods: requireMinIndexedPods(options.minIndexedPods),
    },
    options.maxEndpointsPerSlice,
  );

/** `createReconciler` with resolved settings. @throws RangeError if maxEndpointsPerSlice is not from 1 to 1,000 */
export function createReconcilerFor(settings: ReconcilerSettings, maxEndpointsPerSlice?: number): Reconciler {
  const maxEndpoints = resolveEndpointLimit(maxEndpointsPerSlice);
  const endpoints = createEndpointsReconciler(settings);
  let sliceReconciler: SliceReconciler | undefined;
  const getSliceReconciler = (): SliceReconciler => {
    sliceReconciler ??= createSliceReconciler({ ...withEndpointLimit(settings, maxEndpoints), minIndexedPods: settings.minIndexedPods });
    return sliceReconciler;
  };
  return {
    reconcile: (input) => endpoints.reconcile(input),
    reconcileSlices: (input) => getSliceReconciler().reconcileSlices(input),
    observe(written) {
      if (isSlice(written)) getSliceReconciler().observe(written);
      else endpoints.observe(written);
    },
    expectDeletion: (slice) => getSliceReconciler().expectDeletion(slice),
    handleDeletion: (slice) => getSliceReconciler().handleDeletion(slice),
    overloadedServices: (nodes) => getSliceReconciler().overloadedServices(nodes),
    forget(key) {
      endpoints.forget(key);
      sliceReconciler?.forget(key);
    },
  };
}

const isSlice = (written: EndpointsInput | EndpointSliceInput): written is EndpointSliceInput => 'addressType' in written;
