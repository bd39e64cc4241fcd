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
