import type { TimeRange } from './types.ts';

/** A step on the way from a change of a pod to the routes of its Service. */
export type HopName = 'statusWrite' | 'sliceWrite';

interface HopRow {
  readonly summary: string;
  /** The component that takes the step. */
  readonly component: string;
  /** A longer delay is late, in milliseconds. */
  readonly lateAfter: number;
  readonly source: string;
}

/**
 * The hops and when they are late. Both are far above the delays of a healthy cluster, and above the resolution of times in objects, which is one
 * second.
 */
export const hops: Readonly<Record<HopName, HopRow>> = {
  statusWrite: {
    summary: "from the transition of the pod's condition Ready to the write of its status",
    component: 'kubelet',
    lateAfter: 3000,
    source: 'the kubelet writes a changed status at once, and retries after a failure every 10 s (syncPeriod of its status manager)',
  },
  sliceWrite: {
    summary: 'from the write of the pod or the Service to the write of the EndpointSlice or the Endpoints',
    component: 'EndpointSlice controller',
    lateAfter: 3000,
    source:
      'the controller writes at once, except with --endpointslice-updates-batch-period; it retries after a failure with 1 s to 100 s of back-off',
  },
};

/** How long a hop took, in milliseconds. */
export interface Delay {
  readonly hop: HopName;
  /** The name of the pod. */
  readonly pod: string;
  readonly isReady: boolean;
  /** When the hop began. */
  readonly from: TimeRange;
  /** When it ended; absent if it had not ended at the end of the recording. */
  readonly to?: TimeRange;
  /** The shortest and the longest duration that the times allow. */
  readonly min: number;
  readonly max: number;
  /** The version with which the hop began: that of the pod, or of a Service with a new selector. */
  readonly cause?: number;
  /** The version with which the hop ended. */
  readonly effect?: number;
  /** For a write of a slice: whether its trigger time names the cause, or only its content fits. */
  readonly by?: 'triggerTime' | 'content';
}

/** @param end the end of the recording, if the hop has not ended */
export function createDelay(delay: Omit<Delay, 'min' | 'max'>, end: number): Delay {
  const { from, to } = delay;
  const min = Math.max(0, (to?.earliest ?? end) - from.latest);
  return { ...delay, min, max: to ? Math.max(min, to.latest - from.earliest) : Number.POSITIVE_INFINITY };
}

export const isLate = ({ hop, min }: Delay): boolean => min > hops[hop].lateAfter;

/** The delay that is late by the most; undefined if none is late for sure. */
export const findLatest = (delays: readonly Delay[]): Delay | undefined =>
  delays.filter(isLate).toSorted((a, b) => b.min - hops[b.hop].lateAfter - (a.min - hops[a.hop].lateAfter))[0];
