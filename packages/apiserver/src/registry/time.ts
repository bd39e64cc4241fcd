import type { Clock } from '../store/index.ts';

/** The time as it stands in metadata: RFC 3339, in seconds. It is put into words once a second. */
export function createTimestamps(clock: Pick<Clock, 'now'>): () => string {
  let second = Number.NaN;
  let text = '';
  return () => {
    const now = Math.floor(clock.now() / 1000);
    if (now !== second) {
      second = now;
      text = timestampOf(now * 1000);
    }
    return text;
  };
}

export const timestampOf = (milliseconds: number): string => `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;
