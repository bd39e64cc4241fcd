import { describe, expect, it, test } from 'vitest';
import { callWithin, createLinkedAbortController, pause, waitForAbort } from '../../src/base/time.ts';
import { createTestClock, flushPromises } from '../cache/support.ts';
import { createClock } from '../queue/clock.ts';

const setup = () => {
  const clock = createTestClock();
  const outerController = new AbortController();
  const received: { signal?: AbortSignal } = {};
  const options = { clock, milliseconds: 100, signal: outerController.signal, createTimeoutError: () => new Error('late') };
  const startHangingCall = (signal: AbortSignal): Promise<string> => {
    received.signal = signal;
    return new Promise(() => undefined);
  };
  return { clock, outerController, received, options, startHangingCall };
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

  it('rejects with the same value as the call, even if it is not an Error', async () => {
    const { options } = setup();
    await expect(callWithin(options, () => Promise.reject('no'))).rejects.toBe('no');
  });

  it('rejects with an error that names the timeout, if createTimeoutError is omitted', async () => {
    const { clock, startHangingCall } = setup();
    const rejection = expect(callWithin({ clock, milliseconds: 100 }, startHangingCall)).rejects.toThrow('no answer within 100 ms');
    await clock.pass(100);
    await rejection;
  });

  it('rejects and aborts the call when time is up', async () => {
    const { clock, options, received, startHangingCall } = setup();
    const rejection = expect(callWithin(options, startHangingCall)).rejects.toThrow('late');
    await clock.pass(99);
    expect(received.signal?.aborted).toBe(false);
    await clock.pass(1);
    expect(received.signal?.aborted).toBe(true);
    await rejection;
  });

  it('rejects with the reason of the outer signal and aborts the call', async () => {
    const { clock, outerController, options, received, startHangingCall } = setup();
    const rejection = expect(callWithin(options, startHangingCall)).rejects.toBe('enough');
    await flushPromises();
    outerController.abort('enough');
    await rejection;
    expect(received.signal?.aborted).toBe(true);
    expect(clock.scheduled).toBe(0);
  });

  it('does not make the call if the signal is already aborted', async () => {
    const { outerController, options, received, startHangingCall } = setup();
    outerController.abort('enough');
    await expect(callWithin(options, startHangingCall)).rejects.toBe('enough');
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
    const { signal, countListeners } = createObservedSignal();
    const paused = pause(clock, 100, signal);
    expect(countListeners()).toBe(1);
    await clock.pass(100);
    await paused;
    expect(countListeners()).toBe(0);
  });
});

/** Creates a signal whose listeners are counted. */
function createObservedSignal(): { signal: AbortSignal; countListeners: () => number } {
  const { signal } = new AbortController();
  let listenerCount = 0;
  const { addEventListener, removeEventListener } = signal;
  signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
    listenerCount += 1;
    addEventListener.apply(signal, args);
  };
  signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
    listenerCount -= 1;
    removeEventListener.apply(signal, args);
  };
  return { signal, countListeners: () => listenerCount };
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
  const { signal, countListeners } = createObservedSignal();
  const linked = createLinkedAbortController(signal);
  expect(countListeners()).toBe(1);
  linked.abort();
  expect([signal.aborted, countListeners()]).toEqual([false, 0]);
});

test('waitForAbort resolves when the signal aborts, or at once if it is aborted', async () => {
  const first = new AbortController();
  let ended = false;
  const waitPromise = waitForAbort(first.signal).then(() => {
    ended = true;
  });
  await Promise.resolve();
  expect(ended).toBe(false);
  first.abort();
  await waitPromise;
  await waitForAbort(first.signal);
  expect(ended).toBe(true);
});
