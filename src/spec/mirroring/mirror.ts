import type { EndpointSlice, EndpointSliceInput, EndpointsInput, Service } from '../../types/index.ts';
import { maximumFrom, type Settings, settingsFor, sliceSettings } from '../settings.ts';
import { emptyPlan, referenceTo, type SlicePlan, type SlicePlanCode } from '../slices/plan.ts';
import { areSlicesStale, type WrittenSlices } from '../slices/reading.ts';
import { type MirrorSettings, planMirror } from './plan.ts';
import { mirroredSlicesOf } from './slice.ts';

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

/** What a mirror does, and what that leaves of its memory. */
export interface PlannedMirrorSync {
  readonly plan: SlicePlan;
  /** Whether what is known of written slices no longer matters. */
  readonly forget: boolean;
  /** Slices that need no write. */
  readonly unchanged: readonly EndpointSliceInput[];
}

/**
 * The slices that the release's mirroring controller creates for Endpoints whose Service has no selector, where there are
 * none yet.
 * @throws RangeError for a version before 1.21 or an unknown one, or a maximum that is not from 1 to 1,000
 */
export function mirrorEndpoints(endpoints: EndpointsInput, options: MirrorOptions = {}): EndpointSlice[] {
  const settings = mirrorSettings(settingsFor(options), options.maxEndpointsPerSubset);
  return shouldMirror(endpoints) ? planMirror(endpoints, [], settings).plan.create : [];
}

/**
 * What the release's mirroring controller would write now.
 * @param written what was written so far of the Service's mirrored slices
 *
 * Mirrors syncEndpoints (1.36, pkg/controller/endpointslicemirroring/endpointslicemirroring_controller.go).
 */
export function planMirrorSync(
  { key, service, endpoints, current }: MirrorInput,
  written: WrittenSlices | undefined,
  settings: MirrorSettings,
): PlannedMirrorSync {
  const slices = mirroredSlicesOf(key, current);
  const unmirrored = unmirroredBecause(service, endpoints);
  if (unmirrored === 'ServiceHasSelector' && !settings.profile.mirrorDroppedForSelector) {
    return { plan: emptyPlan(unmirrored), forget: false, unchanged: [] };
  }
  if (unmirrored || !endpoints) {
    return { plan: { ...emptyPlan(unmirrored ?? 'EndpointsMissing'), delete: slices.map(referenceTo) }, forget: true, unchanged: [] };
  }
  if (areSlicesStale(written, slices)) return { plan: { ...emptyPlan('SlicesStale'), retry: true }, forget: false, unchanged: [] };
  return { ...planMirror(endpoints, slices, settings), forget: false };
}

/** The first reason of the controller not to mirror; undefined if it mirrors. */
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

/** @throws RangeError for a version before 1.21, or a maximum that is not from 1 to 1,000 */
export function mirrorSettings(settings: Settings, maxEndpointsPerSubset = 1000): MirrorSettings {
  maximumFrom(maxEndpointsPerSubset, 'maxEndpointsPerSubset');
  const { profile } = sliceSettings(settings, maxEndpointsPerSubset);
  return { profile, maxEndpointsPerSubset };
}
