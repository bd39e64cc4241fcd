import type { EndpointSlice, EndpointSliceInput, EndpointsInput, Service } from '../../types/index.ts';
import type { ReleaseOptions } from '../../versions/index.ts';
import { resolveEndpointLimit, type Settings, settingsFor } from '../settings.ts';
import { createEmptyPlan, referenceTo, type SlicePlan, type SlicePlanCode } from '../slices/plan.ts';
import { areSlicesStale, type WrittenSlices } from '../slices/reading.ts';
import { type MirrorSettings, planMirror } from './plan.ts';
import { mirroredSlicesOf } from './slice.ts';

/** The release is 1.19 or later. */
export interface MirrorOptions extends ReleaseOptions {
  /** How many addresses of each subset to mirror, from 1 to 1,000; 1,000 by default, as in kube-controller-manager. */
  readonly maxEndpointsPerSubset?: number;
}

export interface MirrorInput {
  /** "namespace/name" of the Endpoints, which is also that of their Service. */
  readonly key: string;
  /** Undefined if the Service does not exist. */
  readonly service?: Service | undefined;
  /** Undefined if the Endpoints do not exist. */
  readonly endpoints?: EndpointsInput | undefined;
  /** May be every slice of the cluster. Slices that the mirroring controller does not manage for this Service are ignored. */
  readonly current: readonly EndpointSliceInput[];
}

/** The plan of a mirror sync, and its effect on the tracked state of written slices. */
export interface PlannedMirrorSync {
  readonly plan: SlicePlan;
  /** Whether to drop the tracked generations of written slices. */
  readonly forget: boolean;
  /** Existing slices that need no write. */
  readonly unchanged: readonly EndpointSliceInput[];
}

/**
 * Computes the slices that the release's mirroring controller creates for Endpoints whose Service has no selector, if none exist yet.
 * @throws RangeError for an unknown version or one before 1.19, or if maxEndpointsPerSubset is not from 1 to 1,000
 */
export function mirrorEndpoints(endpoints: EndpointsInput, options: MirrorOptions = {}): EndpointSlice[] {
  const settings = createMirrorSettings(settingsFor(options), options.maxEndpointsPerSubset);
  return shouldMirror(endpoints) ? planMirror(endpoints, [], settings).plan.create : [];
}

/**
 * Plans the writes that the release's mirroring controller would do now.
 * @param written the tracked generations of the Service's mirrored slices
 *
 * Mirrors syncEndpoints (1.36, pkg/controller/endpointslicemirroring/endpointslicemirroring_controller.go).
 */
export function planMirrorSync(
  { key, service, endpoints, current }: MirrorInput,
  written: WrittenSlices | undefined,
  settings: MirrorSettings,
): PlannedMirrorSync {
  const slices = mirroredSlicesOf(key, current);
  const unmirroredCode = findUnmirroredCode(service, endpoints);
  if (unmirroredCode === 'ServiceHasSelector' && !settings.profile.mirrorDeletedForSelector) {
    return { plan: createEmptyPlan(unmirroredCode), forget: false, unchanged: [] };
  }
  if (unmirroredCode || !endpoints) {
    return {
      plan: {
        ...createEmptyPlan(unmirroredCode ?? 'EndpointsMissing'),
        delete: slices.map((slice) => referenceTo(slice, settings.profile)),
      },
      forget: true,
      unchanged: [],
    };
  }
  if (areSlicesStale(written, slices, settings.profile))
    return { plan: { ...createEmptyPlan('SlicesStale'), retry: true }, forget: false, unchanged: [] };
  return { ...planMirror(endpoints, slices, settings), forget: false };
}

/** Finds the controller's first reason not to mirror; undefined if it mirrors. */
export function findUnmirroredCode(service: Service | undefined, endpoints: EndpointsInput | undefined): SlicePlanCode | undefined {
  if (!endpoints) return 'EndpointsMissing';
  if (!shouldMirror(endpoints)) return 'NotMirrored';
  if (!service) return 'ServiceMissing';
  const selector = service.spec?.selector;
  return selector === undefined || selector === null ? undefined : 'ServiceHasSelector';
}

/**
 * Whether Endpoints are mirrored: they do not opt out and are not a leader-election lock. Mirrors skipMirror and hasLeaderElection (1.36,
 * utils.go).
 */
export const shouldMirror = ({ metadata }: EndpointsInput): boolean =>
  metadata?.labels?.[skipMirrorLabel] !== 'true' && !Object.hasOwn(metadata?.annotations ?? {}, leaderAnnotation);

const skipMirrorLabel = 'endpointslice.kubernetes.io/skip-mirror';
const leaderAnnotation = 'control-plane.alpha.kubernetes.io/leader';

/** @throws RangeError for a version before 1.19, or if maxEndpointsPerSubset is not from 1 to 1,000 */
export function createMirrorSettings(settings: Settings, maxEndpointsPerSubset = 1000): MirrorSettings {
  resolveEndpointLimit(maxEndpointsPerSubset, 'maxEndpointsPerSubset');
  const { profile } = settings;
  if (!profile.endpointsMirrored) throw new RangeError(`version ${profile.version} does not mirror Endpoints: give 1.19 or later`);
  return { profile, maxEndpointsPerSubset };
}
