import { createMirrorSettings, type MirrorInput, type MirrorOptions, planMirrorSync } from '../spec/mirroring/mirror.ts';
import { isMirroredSlice } from '../spec/mirroring/slice.ts';
import { type Settings, settingsFor } from '../spec/settings.ts';
import type { SlicePlan } from '../spec/slices/plan.ts';
import type { EndpointSliceInput } from '../types/index.ts';
import { createSliceTracker } from './tracker.ts';

/** The mirroring controller's sync step without I/O, with the state that it keeps between syncs. */
export interface Mirror {
  /** Plans the writes that the release's controller would make now. */
  mirror(input: MirrorInput): SlicePlan;
  /** Records the API server's response to a create or update. Without this call, stale caches are not detected. */
  observe(written: EndpointSliceInput): void;
  /** Records that the API server confirmed a delete. */
  expectDeletion(slice: EndpointSliceInput): void;
  /**
   * Records that the cache saw a slice deleted. Returns false for a tracked slice that this mirror did not delete; sync its Service then.
   */
  handleDeletion(slice: EndpointSliceInput): boolean;
  /** Whether this generation of a slice is the one that the mirror has written or, from 1.31, last seen unchanged. */
  isTracked(slice: EndpointSliceInput): boolean;
  /** Drops the state of a Service. */
  forget(key: string): void;
}

/**
 * Creates a mirror. Use one per cluster; calls for the same key must not overlap.
 * @throws RangeError for an unknown version or one before 1.19, or if maxEndpointsPerSubset is not from 1 to 1,000
 */
export const createMirror = (options: MirrorOptions = {}): Mirror => createMirrorFor(settingsFor(options), options.maxEndpointsPerSubset);

/** `createMirror` with resolved settings. */
export function createMirrorFor(settings: Settings, maxEndpointsPerSubset?: number): Mirror {
  const mirrorSettings = createMirrorSettings(settings, maxEndpointsPerSubset);
  const tracker = createSliceTracker();
  return {
    mirror(input) {
      const { plan, forget, unchanged } = planMirrorSync(input, tracker.writtenSlices(input.key), mirrorSettings);
      if (forget) tracker.forget(input.key);
      if (mirrorSettings.profile.mirrorUnchangedTracked) for (const slice of unchanged) if (!tracker.has(slice)) tracker.observe(slice);
      return plan;
    },
    observe(written) {
      if (isMirroredSlice(written)) tracker.observe(written);
    },
    expectDeletion(slice) {
      if (isMirroredSlice(slice)) tracker.expectDeletion(slice);
    },
    handleDeletion: (slice) => !isMirroredSlice(slice) || tracker.handleDeletion(slice),
    isTracked: (slice) => tracker.hasGeneration(slice),
    forget: (key) => tracker.forget(key),
  };
}
