import { createSliceTracker } from '../../incremental/slices/tracker.ts';
import type { EndpointSlice, EndpointSliceInput, EndpointsInput, Service } from '../../types/index.ts';
import { settingsFor } from '../settings.ts';
import { referenceTo, type SlicePlan, type SlicePlanCode } from '../slices/plan.ts';
import { emptyPlan } from '../slices/reasons.ts';
import { maximumFrom, sliceSettings } from '../slices/settings.ts';
import { type MirrorSettings, planMirror } from './plan.ts';
import { isMirroredSlice, mirroredSlicesOf } from './slice.ts';

export interface MirrorOptions {
  /** "1.21" to "1.37" or a patch release of one; the newest by default. */
  readonly version?: string;
  /** How many addresses of each subset are mirrored, from 1 to 1,000; 1,000 by default, as in kube-controller-manager. */
  readonly maxEndpointsPerSubset?: number;
}

export interface MirrorInput {
  /** "namespace/name" of the Endpoints, which is that of their Service. */
  readonly key: string;
  /** The Service; undefined where there is none. */
  readonly service?: Service | undefined;
  /** The Endpoints; undefined where there are none. */
  readonly endpoints?: EndpointsInput | undefined;
  /** May be every slice there is: those that this controller does not write for this Service are left alone. */
  readonly current: readonly EndpointSliceInput[];
}

/** The mirroring controller's sync step without its I/O, with the memory that it keeps between syncs. */
export interface Mirror {
  /** What the release's controller would write now. */
  mirror(input: MirrorInput): SlicePlan;
  /** Tells what the API server answered to a create or update; without it, stale caches go unnoticed. */
  observe(written: EndpointSliceInput): void;
  /** Tells that the API server answered a delete. */
  expectDeletion(slice: EndpointSliceInput): void;
  /** Tells that the cache saw a slice deleted; false where that calls for a sync, because nobody here deleted it. */
  handleDeletion(slice: EndpointSliceInput): boolean;
  /** Drops what is remembered of a Service. */
  forget(key: string): void;
}

/**
 * The slices that the release's mirroring controller creates for Endpoints whose Service has no selector, where there are
 * none yet.
 * @throws RangeError for a version before 1.21 or an unknown one, or a maximum that is not from 1 to 1,000
 */
export function mirrorEndpoints(endpoints: EndpointsInput, options: MirrorOptions = {}): EndpointSlice[] {
  const settings = mirrorSettingsFor(options);
  return shouldMirror(endpoints) ? planMirror(endpoints, [], settings).plan.create : [];
}

/**
 * Makes a mirror. One per cluster; calls for one key must not overlap.
 * @throws RangeError for a version before 1.21 or an unknown one, or a maximum that is not from 1 to 1,000
 *
 * Mirrors syncEndpoints (1.36, pkg/controller/endpointslicemirroring/endpointslicemirroring_controller.go).
 */
export function createMirror(options: MirrorOptions = {}): Mirror {
  const settings = mirrorSettingsFor(options);
  const { profile } = settings;
  const tracker = createSliceTracker();
  return {
    mirror({ key, service, endpoints, current }) {
      const slices = mirroredSlicesOf(key, current);
      const unmirrored = unmirroredBecause(service, endpoints);
      if (unmirrored === 'ServiceHasSelector' && !profile.mirrorDroppedForSelector) return emptyPlan(unmirrored);
      if (unmirrored || !endpoints) {
        tracker.forget(key);
        return { ...emptyPlan(unmirrored ?? 'EndpointsMissing'), delete: slices.map(referenceTo) };
      }
      if (tracker.isStale(key, slices)) return { ...emptyPlan('SlicesStale'), retry: true };
      const { plan, unchanged } = planMirror(endpoints, slices, settings);
      if (profile.mirrorUnchangedTracked) for (const slice of unchanged) if (!tracker.has(slice)) tracker.observe(slice);
      return plan;
    },
    observe(written) {
      if (isMirroredSlice(written)) tracker.observe(written);
    },
    expectDeletion(slice) {
      if (isMirroredSlice(slice)) tracker.expectDeletion(slice);
    },
    handleDeletion: (slice) => !isMirroredSlice(slice) || tracker.handleDeletion(slice),
    forget: (key) => tracker.forget(key),
  };
}

/** Why there is nothing to mirror, in the order in which the controller asks; undefined where there is. */
function unmirroredBecause(service: Service | undefined, endpoints: EndpointsInput | undefined): SlicePlanCode | undefined {
  if (!endpoints) return 'EndpointsMissing';
  if (!shouldMirror(endpoints)) return 'NotMirrored';
  if (!service) return 'ServiceMissing';
  const selector = service.spec?.selector;
  return selector === undefined || selector === null ? undefined : 'ServiceHasSelector';
}

/** Whether Endpoints ask not to be mirrored, or are a lock. Mirrors skipMirror and hasLeaderElection (1.36, utils.go). */
const shouldMirror = ({ metadata }: EndpointsInput): boolean =>
  metadata?.labels?.[skipMirrorLabel] !== 'true' && !Object.hasOwn(metadata?.annotations ?? {}, leaderAnnotation);

const skipMirrorLabel = 'endpointslice.kubernetes.io/skip-mirror';
const leaderAnnotation = 'control-plane.alpha.kubernetes.io/leader';

function mirrorSettingsFor(options: MirrorOptions): MirrorSettings {
  const { maxEndpointsPerSubset = 1000 } = options;
  maximumFrom(maxEndpointsPerSubset, 'maxEndpointsPerSubset');
  const { profile } = sliceSettings(settingsFor(options), maxEndpointsPerSubset);
  return { profile, maxEndpointsPerSubset };
}
