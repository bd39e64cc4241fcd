import type { Clock } from '../store/index.ts';

/** The time as it stands in metadata: RFC 3339, in seconds. */
export const timestamp = (clock: Pick<Clock, 'now'>): string => timestampOf(clock.now());

export const timestampOf = (milliseconds: number): string => `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;
