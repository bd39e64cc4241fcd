import { describe, expect, it, test } from 'vitest';
import { callWithin, createLinkedAbortController, pause, waitForAbort } from '../../src/base/time.ts';
import { createTestClock, flushPromises } from '../cache/support.ts';
import { createClock } from '../queue/clock.ts';

const setup = () => {
  const clock = createTestClock();
  const outerController = new AbortController();
  const received: { signal?: AbortSignal } = {};
  const options = { clock, milliseconds: 100, signal: outerController.signal, createTimeoutError: () => new Error('late') };
  const neverSettles = (signal: AbortSignal): Promise<string> => {
    received.signal = signal;
    return new Promise(() => undefined);
  };
  return { clock, outerController, received, options, neverSettles };
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

  it('rejects with the timeout by default', async () => {
    const { clock, neverSettles } = setup();
    const rejection = expect(callWithin({ clock, milliseconds: 100 }, neverSettles)).rejects.toThrow('no answer within 100 ms');
    await clock.pass(100);
    await rejection;
  });

  it('rejects and aborts the call when time is up', async () => {
    const { clock, options, received, neverSettles } = setup();
    const rejection = expect(callWithin(options, neverSettles)).rejects.toThrow('late');
    await clock.pass(99);
    expect(received.signal?.aborted).toBe(false);
    await clock.pass(1);
    expect(received.signal?.aborted).toBe(true);
    await rejection;
  });

  it('rejects with the reason of the outer signal and aborts the call', async () => {
    const { clock, outerController, options, received, neverSettles } = setup();
    const rejection = expect(callWithin(options, neverSettles)).rejects.toBe('enough');
    await flushPromises();
    outerController.abort('enough');
    await rejection;
    expect(received.signal?.aborted).toBe(true);
    expect(clock.scheduled).toBe(0);
  });

  it('does not call if the signal is already aborted', async () => {
    const { outerController, options, received, neverSettles } = setup();
    outerController.abort('enough');
    await expect(callWithin(options, neverSettles)).rejects.toBe('enough');
    expect(received.signal).toBeUndefined();
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
    const { signal, count } = countListeners();
    const paused = pause(clock, 100, signal);
    expect(count()).toBe(1);
    await clock.pass(100);
    await paused;
    expect(count()).toBe(0);
  });
});

/** A signal, and its number of listeners. */
function countListeners(): { signal: AbortSignal; count: () => number } {
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
  const [first, second] = [new AbortController(), new AbortController()];
  const linked = createLinkedAbortController(first.signal, second.signal);
  expect(linked.signal.aborted).toBe(false);
  second.abort('enough');
  first.abort('late');
  expect(linked.signal.reason).toBe('enough');
});

test('a linked controller is aborted from the start if one of its signals is', () => {
  const first = new AbortController();
  expect(createLinkedAbortController(first.signal, AbortSignal.abort('gone')).signal.reason).toBe('gone');
});

test('aborting a linked controller leaves its sources unaborted and removes its listeners', () => {
  const first = new AbortController();
  let listeners = 0;
  const { addEventListener, removeEventListener } = first.signal;
  first.signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
    listeners += 1;
    addEventListener.apply(first.signal, args);
  };
  first.signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
    listeners -= 1;
    removeEventListener.apply(first.signal, args);
  };
  const linked = createLinkedAbortController(first.signal);
  expect(listeners).toBe(1);
  linked.abort();
  expect([first.signal.aborted, listeners]).toEqual([false, 0]);
});

test('waitForAbort resolves when the signal aborts, or at once if it is aborted', async () => {
  const first = new AbortController();
  let ended = false;
  const waiting = waitForAbort(first.signal).then(() => {
    ended = true;
  });
  await Promise.resolve();
  expect(ended).toBe(false);
  first.abort();
  await waiting;
  await waitForAbort(first.signal);
  expect(ended).toBe(true);
});
