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
  it('passes on what comes in time, and leaves no timer', async () => {
    const { clock, options } = setup();
    await expect(callWithin(options, async () => 'here')).resolves.toBe('here');
    expect(clock.scheduled).toBe(0);
  });

  it('passes on a failure, even one that is thrown', async () => {
    const { clock, options } = setup();
    const call = (): Promise<never> => {
      throw new Error('broken');
    };
    await expect(callWithin(options, call)).rejects.toThrow('broken');
    expect(clock.scheduled).toBe(0);
  });

  it('passes on whatever it is rejected with', async () => {
    const { options } = setup();
    await expect(callWithin(options, () => Promise.reject('no'))).rejects.toBe('no');
  });

  it('says how long there was no answer, where nothing else is to be said', async () => {
    const { clock, never } = setup();
    const late = expect(callWithin({ clock, milliseconds: 100 }, never)).rejects.toThrow('no answer within 100 ms');
    await clock.pass(100);
    await late;
  });

  it('gives up when the time is over, and ends the call', async () => {
    const { clock, options, seen, never } = setup();
    const late = expect(callWithin(options, never)).rejects.toThrow('late');
    await clock.pass(99);
    expect(seen.signal?.aborted).toBe(false);
    await clock.pass(1);
    expect(seen.signal?.aborted).toBe(true);
    await late;
  });

  it('ends with the outer signal, with its reason', async () => {
    const { clock, outer, options, seen, never } = setup();
    const ended = expect(callWithin(options, never)).rejects.toBe('enough');
    await settle();
    outer.abort('enough');
    await ended;
    expect(seen.signal?.aborted).toBe(true);
    expect(clock.scheduled).toBe(0);
  });

  it('does not call where the signal is aborted already', async () => {
    const { outer, options, seen, never } = setup();
    outer.abort('enough');
    await expect(callWithin(options, never)).rejects.toBe('enough');
    expect(seen.signal).toBeUndefined();
  });
});

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

test('what is linked is aborted with the first of the signals, with its reason', () => {
  const [one, other] = [new AbortController(), new AbortController()];
  const linked = linkedTo(one.signal, other.signal);
  expect(linked.signal.aborted).toBe(false);
  other.abort('enough');
  one.abort('late');
  expect(linked.signal.reason).toBe('enough');
});

test('and at once where one was aborted before', () => {
  const one = new AbortController();
  expect(linkedTo(one.signal, AbortSignal.abort('gone')).signal.reason).toBe('gone');
});

test('aborted itself, it leaves the others alone and lets go of them', () => {
  const one = new AbortController();
  let listeners = 0;
  const { addEventListener, removeEventListener } = one.signal;
  one.signal.addEventListener = (...given: Parameters<typeof addEventListener>) => {
    listeners += 1;
    addEventListener.apply(one.signal, given);
  };
  one.signal.removeEventListener = (...given: Parameters<typeof removeEventListener>) => {
    listeners -= 1;
    removeEventListener.apply(one.signal, given);
  };
  const linked = linkedTo(one.signal);
  expect(listeners).toBe(1);
  linked.abort();
  expect([one.signal.aborted, listeners]).toEqual([false, 0]);
});

test('waiting ends when a signal is aborted, or was before', async () => {
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
