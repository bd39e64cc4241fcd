import { type Settings, settingsFor, type VersionOptions } from '../settings.ts';

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
