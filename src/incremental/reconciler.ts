import { refersTo } from '../spec/address.ts';
import type { Plan } from '../spec/plan.ts';
import { maximumFrom, settingsFor, sliceSettings, type TargetRefOf } from '../spec/settings.ts';
import type { SlicePlan } from '../spec/slices/plan.ts';
import type { SliceOptions } from '../spec/slices/slices.ts';
import type { EndpointSliceInput, EndpointsInput, Node } from '../types/index.ts';
import { createEndpointsReconciler, type ReconcileInput } from './endpoints.ts';
import { type ReconcilerSettings, rosterFromOf } from './pods.ts';
import { createSliceReconciler, type SliceReconciler, type SlicesInput } from './slices/reconciler.ts';

export interface ReconcilerOptions extends SliceOptions {
  /**
   * For hosts whose pods stand for workload objects of their own: what addresses and endpoints refer to, which is the pod
   * otherwise. Two pods of one IP are one address of Endpoints if these references have the same UID, or none.
   */
  readonly targetRef?: TargetRefOf | undefined;
  /**
   * From how many pods of a Service on, where they come on a feed, what they come to is kept from sync to sync: a changed pod then costs the
   * same whatever their number, and each takes some hundred bytes. By default 32.
   */
  readonly rosterFrom?: number | undefined;
}

/** The controllers' sync steps without their I/O, with the memory that they keep between syncs. */
export interface Reconciler {
  /**
   * What the release's endpoints controller would write now.
   * @throws TypeError for a timestamp that is none
   */
  reconcile(input: ReconcileInput): Plan;
  /**
   * What the release's EndpointSlice controller would write now: the fewest slices that bring the Service's to what they
   * should be. Slices that are not this controller's, or of other Services, are never in the plan.
   * @throws RangeError in releases before 1.21
   * @throws TypeError for a timestamp that is none
   */
  reconcileSlices(input: SlicesInput): SlicePlan;
  /** Tells what the API server answered to a create or update; without it, stale caches go unnoticed. */
  observe(written: EndpointsInput | EndpointSliceInput): void;
  /** Tells that the API server answered to the deletion of a slice. */
  expectDeletion(slice: EndpointSliceInput): void;
  /** Tells that the cache has seen a slice deleted. False where nobody here deleted it, so that its Service is to be synced. */
  handleDeletion(slice: EndpointSliceInput): boolean;
  /** The keys of Services whose topology hints no longer fit the nodes, so that they are to be synced: to ask when nodes change. */
  overloadedServices(nodes: readonly Node[]): string[];
  /** Drops what is remembered of a Service, as a deletion does. */
  forget(key: string): void;
}

/**
 * Makes a reconciler. One per cluster; calls for one key must not overlap.
 * @throws RangeError for an unknown version, or a number that is none
 */
export const createReconciler = (options: ReconcilerOptions = {}): Reconciler =>
  createReconcilerFor(
    {
      ...settingsFor(options),
      targetRef: options.targetRef && refersTo(options.targetRef),
      rosterFrom: rosterFromOf(options.rosterFrom),
    },
    options.maxEndpointsPerSlice,
  );

/** `createReconciler` under given settings. @throws RangeError for a maximum that is not from 1 to 1,000 */
export function createReconcilerFor(settings: ReconcilerSettings, maxEndpointsPerSlice?: number): Reconciler {
  const max = maximumFrom(maxEndpointsPerSlice);
  const endpoints = createEndpointsReconciler(settings);
  let made: SliceReconciler | undefined;
  const slices = (): SliceReconciler => {
    made ??= createSliceReconciler({ ...sliceSettings(settings, max), rosterFrom: settings.rosterFrom });
    return made;
  };
  return {
    reconcile: (input) => endpoints.reconcile(input),
    reconcileSlices: (input) => slices().reconcileSlices(input),
    observe(written) {
      if (isSlice(written)) slices().observe(written);
      else endpoints.observe(written);
    },
    expectDeletion: (slice) => slices().expectDeletion(slice),
    handleDeletion: (slice) => slices().handleDeletion(slice),
    overloadedServices: (nodes) => slices().overloaded(nodes),
    forget(key) {
      endpoints.forget(key);
      made?.forget(key);
    },
  };
}

const isSlice = (written: EndpointsInput | EndpointSliceInput): written is EndpointSliceInput => 'addressType' in written;
