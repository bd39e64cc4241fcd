import type { Pod, TargetRef } from '../types/index.ts';
import { type Profile, profileFor, type ReleaseOptions } from '../versions/index.ts';

export interface VersionOptions extends ReleaseOptions {
  /** IANA name of the controller's time zone, in which releases before 1.22 write trigger times; UTC by default. */
  readonly timeZone?: string;
}

/** Builds the targetRef of a pod's address or endpoint. */
export type TargetRefBuilder = (pod: Pod) => TargetRef;

/** The settings of a computation: the release's profile and the time zone in which it writes times. */
export interface Settings {
  readonly profile: Profile;
  readonly timeZone: string;
  /** Set if pods stand for other objects. By default, addresses and endpoints refer to the pod. */
  readonly targetRef?: TargetRefBuilder | undefined;
}

/** @throws RangeError for an unknown version or feature gate */
export const settingsFor = ({ version, featureGates, timeZone }: VersionOptions): Settings =>
  settingsForProfile(profileFor(version, featureGates), timeZone);

export const settingsForProfile = (profile: Profile, timeZone = 'UTC'): Settings => ({
  profile,
  timeZone: profile.triggerTimeInUTC ? 'UTC' : timeZone,
});

/** The settings for computing slices. */
export interface SliceSettings extends Settings {
  readonly maxEndpointsPerSlice: number;
}

/** @throws RangeError for an unknown version or one before 1.17, or if maxEndpointsPerSlice is not a whole number from 1 to 1,000 */
export const sliceSettingsFor = (options: VersionOptions & { readonly maxEndpointsPerSlice?: number }): SliceSettings =>
  withEndpointLimit(settingsFor(options), resolveEndpointLimit(options.maxEndpointsPerSlice));

/** @throws RangeError for a version before 1.17 */
export function withEndpointLimit(settings: Settings, maxEndpointsPerSlice: number): SliceSettings {
  if (settings.profile.slicesAreBeta) return { ...settings, maxEndpointsPerSlice };
  throw new RangeError(
    `version ${settings.profile.version}: EndpointSlices are computed from discovery.k8s.io/v1beta1 on: give 1.17 or later`,
  );
}

/** Returns `max`, or the default if undefined. @throws RangeError if max is not a whole number from 1 to 1,000 */
export function resolveEndpointLimit(max: number = defaultEndpointLimit, field = 'maxEndpointsPerSlice'): number {
  if (Number.isInteger(max) && max >= 1 && max <= maxEndpointLimit) return max;
  throw new RangeError(`${field}: ${String(max)} is out of range: give a whole number from 1 to 1,000`);
}

const defaultEndpointLimit = 100;
const maxEndpointLimit = 1000;
