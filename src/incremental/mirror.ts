import { type MirrorInput, type MirrorOptions, mirrorSettings, planMirrorSync } from '../spec/mirroring/mirror.ts';
import { isMirroredSlice } from '../spec/mirroring/slice.ts';
import { type Settings, settingsFor } from '../spec/settings.ts';
import type { SlicePlan } from '../spec/slices/plan.ts';
import type { EndpointSliceInput } from '../types/index.ts';
import { createSliceTracker } from './tracker.ts';

/** The mirroring controller's sync step without its I/O, with the memory that it keeps between syncs. */
export interface Mirror {
  /** What the release's controller would write now. */
  mirror(input: MirrorInput): SlicePlan;
  /** Reports what the API server answered to a create or update; without it, stale caches go unnoticed. */
  observe(written: EndpointSliceInput): void;
  /** Reports that the API server answered a delete. */
  expectDeletion(slice: EndpointSliceInput): void;
  /** Reports that the cache saw a slice deleted. False if nobody here deleted it, so that its Service needs a sync. */
  handleDeletion(slice: EndpointSliceInput): boolean;
  /** Drops what is remembered of a Service. */
  forget(key: string): void;
}

/**
 * Makes a mirror. One per cluster; calls for one key must not overlap.
 * @throws RangeError for a version before 1.21 or an unknown one, or a maximum that is not from 1 to 1,000
 */
export const createMirror = (options: MirrorOptions = {}): Mirror => createMirrorFor(settingsFor(options), options.maxEndpointsPerSubset);

/** `createMirror` under given settings. */
export function createMirrorFor(settings: Settings, maxEndpointsPerSubset?: number): Mirror {
  const ours = mirrorSettings(settings, maxEndpointsPerSubset);
  const tracker = createSliceTracker();
  return {
    mirror(input) {
      const { plan, forget, unchanged } = planMirrorSync(input, tracker.written(input.key), ours);
      if (forget) tracker.forget(input.key);
      if (ours.profile.mirrorUnchangedTracked) for (const slice of unchanged) if (!tracker.has(slice)) tracker.observe(slice);
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
