import type { Pod, TargetRef } from '../types/index.ts';
import { type Profile, profileFor } from '../versions/index.ts';

export interface VersionOptions {
  /** "1.17" to "1.37" or a patch release of one; the newest by default. */
  readonly version?: string;
  /** IANA name of the time zone that the controller runs in, which trigger times are written in before 1.22; UTC by default. */
  readonly timeZone?: string;
}

/** What the address or endpoint of a pod refers to. */
export type TargetRefOf = (pod: Pod) => TargetRef;

/** What a computation stands on: the release's profile, and the zone in which this release writes times. */
export interface Settings {
  readonly profile: Profile;
  readonly timeZone: string;
  /** Where pods stand for something else; otherwise addresses and endpoints refer to the pod. */
  readonly targetRef?: TargetRefOf | undefined;
}

/** @throws RangeError for an unknown version */
export const settingsFor = ({ version, timeZone }: VersionOptions): Settings => settingsUnder(profileFor(version), timeZone);

export const settingsUnder = (profile: Profile, timeZone = 'UTC'): Settings => ({
  profile,
  timeZone: profile.triggerTimeInUTC ? 'UTC' : timeZone,
});

/** What slices are computed under. */
export interface SliceSettings extends Settings {
  readonly maxEndpointsPerSlice: number;
}

/** @throws RangeError for a version before 1.21 or an unknown one, or a maximum that is none */
export const sliceSettingsFor = (options: VersionOptions & { readonly maxEndpointsPerSlice?: number }): SliceSettings =>
  sliceSettings(settingsFor(options), maximumFrom(options.maxEndpointsPerSlice));

/** @throws RangeError for a version before 1.21 */
export function sliceSettings(settings: Settings, maxEndpointsPerSlice: number): SliceSettings {
  if (settings.profile.slicesAreV1) return { ...settings, maxEndpointsPerSlice };
  throw new RangeError(
    `version ${settings.profile.version}: its EndpointSlices are of discovery.k8s.io/v1beta1, which are not computed: give 1.21 or later`,
  );
}

/** @throws RangeError for what is no whole number from 1 to 1,000 */
export function maximumFrom(max: number = defaultMaximum, field = 'maxEndpointsPerSlice'): number {
  if (Number.isInteger(max) && max >= 1 && max <= largestMaximum) return max;
  throw new RangeError(`${field}: ${String(max)} is out of range: give a whole number from 1 to 1,000`);
}

const defaultMaximum = 100;
const largestMaximum = 1000;
