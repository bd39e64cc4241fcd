import { describe, expect, it } from 'vitest';
import { callWithin } from '../src/time.ts';
import { createTestClock, settle } from './cache/support.ts';

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
