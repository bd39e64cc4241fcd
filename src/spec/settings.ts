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
  /** From how many pods on what the pods of a feed come to is kept from sync to sync; by default `defaultRosterFrom`. */
  readonly rosterFrom?: number | undefined;
}

/** Of fewer pods, it would take more memory than it saves time. */
export const defaultRosterFrom = 32;

/** @throws RangeError for what is no whole number from 0 on */
export function rosterFromOf(value: number | undefined): number | undefined {
  if (value === undefined || (Number.isSafeInteger(value) && value >= 0)) return value;
  throw new RangeError(`rosterFrom is ${String(value)}: give a whole number from 0 on`);
}

/** @throws RangeError for an unknown version */
export const settingsFor = ({ version, timeZone }: VersionOptions): Settings => settingsUnder(profileFor(version), timeZone);

export const settingsUnder = (profile: Profile, timeZone = 'UTC'): Settings => ({
  profile,
  timeZone: profile.triggerTimeInUTC ? 'UTC' : timeZone,
});
