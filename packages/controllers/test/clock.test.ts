import { describe, expect, test } from 'vitest';
import { pause } from '../src/time.ts';
import { createClock } from './queue/clock.ts';

describe('pause', () => {
  test('ends when the time has passed, and not before', async () => {
    const clock = createClock();
    let ended = false;
    void pause(clock, 100).then(() => {
      ended = true;
    });
    await clock.pass(99);
    expect(ended).toBe(false);
    await clock.pass(1);
    expect(ended).toBe(true);
  });

  test('ends when the signal is aborted, and leaves no call behind', async () => {
    const clock = createClock();
    const stop = new AbortController();
    const paused = pause(clock, 100, stop.signal);
    expect(clock.scheduled).toBe(1);
    stop.abort();
    await paused;
    expect(clock.scheduled).toBe(0);
  });

  test('does not begin under a signal that was aborted before', async () => {
    const clock = createClock();
    await pause(clock, 100, AbortSignal.abort());
    expect(clock.scheduled).toBe(0);
  });

  test('lets go of the signal when its time has passed', async () => {
    const clock = createClock();
    const { signal, count } = watched();
    const paused = pause(clock, 100, signal);
    expect(count()).toBe(1);
    await clock.pass(100);
    await paused;
    expect(count()).toBe(0);
  });
});

/** A signal, and how many listen to it. */
function watched(): { signal: AbortSignal; count: () => number } {
  const { signal } = new AbortController();
  let listeners = 0;
  const { addEventListener, removeEventListener } = signal;
  signal.addEventListener = (...given: Parameters<typeof addEventListener>) => {
    listeners += 1;
    addEventListener.apply(signal, given);
  };
  signal.removeEventListener = (...given: Parameters<typeof removeEventListener>) => {
    listeners -= 1;
    removeEventListener.apply(signal, given);
  };
  return { signal, count: () => listeners };
}
