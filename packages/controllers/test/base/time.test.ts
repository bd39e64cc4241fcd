import { describe, expect, it, test } from 'vitest';
import { aborted, callWithin, linkedTo, pause } from '../../src/base/time.ts';
import { createTestClock, settle } from '../cache/support.ts';
import { createClock } from '../queue/clock.ts';

const setup = () => {
  const clock = createTestClock();
  const outer = new AbortController();
  const seen: { signal?: AbortSignal } = {};
  const options = { clock, milliseconds: 100, signal: outer.signal, late: () => new Error('late') };
  const never = (signal: AbortSignal): Promise<string> => {
    seen.signal = signal;
    return new Promise(() => undefined);
  };
  return { clock, outer, seen, options, never };
};

describe('callWithin', () => {
  it('resolves with the answer and leaves no timer', async () => {
    const { clock, options } = setup();
    await expect(callWithin(options, async () => 'here')).resolves.toBe('here');
    expect(clock.scheduled).toBe(0);
  });

  it('rejects if the call throws, and leaves no timer', async () => {
    const { clock, options } = setup();
    const call = (): Promise<never> => {
      throw new Error('broken');
    };
    await expect(callWithin(options, call)).rejects.toThrow('broken');
    expect(clock.scheduled).toBe(0);
  });

  it('rejects with the original value', async () => {
    const { options } = setup();
    await expect(callWithin(options, () => Promise.reject('no'))).rejects.toBe('no');
  });

  it('has a default error with the timeout', async () => {
    const { clock, never } = setup();
    const late = expect(callWithin({ clock, milliseconds: 100 }, never)).rejects.toThrow('no answer within 100 ms');
    await clock.pass(100);
    await late;
  });

  it('rejects and aborts the call when time is up', async () => {
    const { clock, options, seen, never } = setup();
    const late = expect(callWithin(options, never)).rejects.toThrow('late');
    await clock.pass(99);
    expect(seen.signal?.aborted).toBe(false);
    await clock.pass(1);
    expect(seen.signal?.aborted).toBe(true);
    await late;
  });

  it('rejects with the reason of the outer signal and aborts the call', async () => {
    const { clock, outer, options, seen, never } = setup();
    const ended = expect(callWithin(options, never)).rejects.toBe('enough');
    await settle();
    outer.abort('enough');
    await ended;
    expect(seen.signal?.aborted).toBe(true);
    expect(clock.scheduled).toBe(0);
  });

  it('does not call if the signal is already aborted', async () => {
    const { outer, options, seen, never } = setup();
    outer.abort('enough');
    await expect(callWithin(options, never)).rejects.toBe('enough');
    expect(seen.signal).toBeUndefined();
  });
});

describe('pause', () => {
  test('resolves when the time has passed, and not before', async () => {
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

  test('resolves when the signal aborts, and leaves no timer', async () => {
    const clock = createClock();
    const stop = new AbortController();
    const paused = pause(clock, 100, stop.signal);
    expect(clock.scheduled).toBe(1);
    stop.abort();
    await paused;
    expect(clock.scheduled).toBe(0);
  });

  test('schedules nothing if the signal is already aborted', async () => {
    const clock = createClock();
    await pause(clock, 100, AbortSignal.abort());
    expect(clock.scheduled).toBe(0);
  });

  test('removes its abort listener when the time has passed', async () => {
    const clock = createClock();
    const { signal, count } = watched();
    const paused = pause(clock, 100, signal);
    expect(count()).toBe(1);
    await clock.pass(100);
    await paused;
    expect(count()).toBe(0);
  });
});

/** A signal, and its number of listeners. */
function watched(): { signal: AbortSignal; count: () => number } {
  const { signal } = new AbortController();
  let listeners = 0;
  const { addEventListener, removeEventListener } = signal;
  signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
    listeners += 1;
    addEventListener.apply(signal, args);
  };
  signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
    listeners -= 1;
    removeEventListener.apply(signal, args);
  };
  return { signal, count: () => listeners };
}

test('a linked controller aborts with the first of its signals, with the same reason', () => {
  const [one, other] = [new AbortController(), new AbortController()];
  const linked = linkedTo(one.signal, other.signal);
  expect(linked.signal.aborted).toBe(false);
  other.abort('enough');
  one.abort('late');
  expect(linked.signal.reason).toBe('enough');
});

test('a linked controller is aborted from the start if one of its signals is', () => {
  const one = new AbortController();
  expect(linkedTo(one.signal, AbortSignal.abort('gone')).signal.reason).toBe('gone');
});

test('aborting a linked controller leaves its sources unaborted and removes its listeners', () => {
  const one = new AbortController();
  let listeners = 0;
  const { addEventListener, removeEventListener } = one.signal;
  one.signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
    listeners += 1;
    addEventListener.apply(one.signal, args);
  };
  one.signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
    listeners -= 1;
    removeEventListener.apply(one.signal, args);
  };
  const linked = linkedTo(one.signal);
  expect(listeners).toBe(1);
  linked.abort();
  expect([one.signal.aborted, listeners]).toEqual([false, 0]);
});

test('aborted() resolves when the signal aborts, or at once if it is aborted', async () => {
  const one = new AbortController();
  let ended = false;
  const waiting = aborted(one.signal).then(() => {
    ended = true;
  });
  await Promise.resolve();
  expect(ended).toBe(false);
  one.abort();
  await waiting;
  await aborted(one.signal);
  expect(ended).toBe(true);
});
