import { expect, it } from 'vitest';
import { createTimestamps, timestampOf } from '../../src/registry/time.ts';
import { createClock } from '../store/support.ts';

it('is RFC 3339 in whole seconds', () => expect(timestampOf(Date.UTC(2026, 0, 2, 3, 4, 5, 999))).toBe('2026-01-02T03:04:05Z'));

it('goes with the clock', () => {
  const clock = createClock(Date.UTC(2026, 0, 2, 3, 4, 5, 500));
  const timestamp = createTimestamps(clock);
  expect([timestamp(), timestamp()]).toEqual(['2026-01-02T03:04:05Z', '2026-01-02T03:04:05Z']);
  clock.advance(499);
  expect(timestamp()).toBe('2026-01-02T03:04:05Z');
  clock.advance(1);
  expect(timestamp()).toBe('2026-01-02T03:04:06Z');
});
