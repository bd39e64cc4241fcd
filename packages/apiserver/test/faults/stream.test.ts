import { describe, expect, it } from 'vitest';
import { createFaultInjectingStream, createGate, createQueue, type FaultInjectingStreamOptions } from '../../src/faults/stream.ts';
import { createClock, isSettled } from '../store/support.ts';

const over = { done: true, value: undefined };
const broken = { code: 'ECONNRESET' };

/** An iterator that yields the values it is fed. */
function createSource() {
  const fed: (string | Error)[] = [];
  let wake = (): void => undefined;
  const state = { reads: 0, returned: 0 };
  const inner: AsyncIterator<string> = {
    async next() {
      state.reads += 1;
      while (fed.length === 0) await new Promise<void>((resolve) => (wake = resolve));
      const value = fed.shift() as string | Error;
      if (value instanceof Error) throw value;
      return value === 'end' ? { done: true, value: undefined } : { done: false, value };
    },
    async return() {
      state.returned += 1;
      return { done: true, value: undefined };
    },
  };
  const feed = (...values: readonly (string | Error)[]): void => {
    fed.push(...values);
    wake();
  };
  return { inner, feed, state };
}

function createSubject(options: Partial<FaultInjectingStreamOptions<string>> = {}) {
  const clock = createClock();
  const source = createSource();
  const ends: string[] = [];
  const stream = createFaultInjectingStream(source.inner, { clock, onEnd: () => ends.push('end'), ...options });
  const next = async (): Promise<unknown> => (await stream.next()).value;
  return { clock, ...source, stream, next, ends };
}

describe('a stream without faults', () => {
  it('passes on values, errors and the end, and reads one value at a time', async () => {
    const { stream, feed, state, ends } = createSubject();
    const pending = [stream.next(), stream.next(), stream.next()];
    expect(await isSettled(pending[0] as Promise<unknown>)).toBe(false);
    expect(state.reads).toBe(1);
    feed('a', 'b', 'end');
    expect(await Promise.all(pending)).toEqual([{ done: false, value: 'a' }, { done: false, value: 'b' }, over]);
    expect([await stream.next(), ends, state.returned]).toEqual([over, ['end'], 1]);
    const failing = createSubject();
    failing.feed(new Error('gone'));
    await expect(failing.stream.next()).rejects.toThrow('gone');
    expect(await failing.stream.next()).toEqual(over);
  });

  it('ends on return, together with pending reads', async () => {
    const { stream, state, ends } = createSubject();
    const pending = stream.next();
    expect(await stream.return?.()).toEqual(over);
    expect([await pending, state.returned, ends]).toEqual([over, 1, ['end']]);
    stream.cut(true);
    stream.stall();
    stream.release();
    expect(await stream.next()).toEqual(over);
    for await (const value of stream) expect(value).toBeUndefined();
  });
});

describe('a cut stream', () => {
  it('ends cleanly or broken, with or without a pending read', async () => {
    const waiting = createSubject();
    const pending = waiting.stream.next();
    waiting.stream.cut(false);
    expect([await pending, waiting.state.returned, waiting.ends]).toEqual([over, 1, ['end']]);
    const later = createSubject();
    later.stream.cut(true);
    await expect(later.stream.next()).rejects.toMatchObject(broken);
    expect(await later.stream.next()).toEqual(over);
  });

  it('ends after a number of values or a time', async () => {
    const counted = createSubject({ drop: { fault: 'dropWatch', afterEvents: 2, broken: true } });
    counted.feed('a', 'b', 'c');
    expect([await counted.next(), await counted.next()]).toEqual(['a', 'b']);
    await expect(counted.next()).rejects.toMatchObject(broken);
    const timed = createSubject({ drop: { fault: 'dropWatch', afterMilliseconds: 5 } });
    const pending = timed.stream.next();
    timed.clock.advance(5);
    expect(await pending).toEqual(over);
    const none = createSubject({ drop: { fault: 'dropWatch' } });
    none.feed('a');
    expect([await none.stream.next(), none.state.reads]).toEqual([over, 0]);
  });

  it('leaves no timers', async () => {
    const { stream, clock } = createSubject({ drop: { fault: 'dropWatch', afterMilliseconds: 5 } });
    stream.stall(7);
    expect(clock.scheduled).toBe(2);
    await stream.return?.();
    expect(clock.scheduled).toBe(0);
  });
});

describe('a stalled stream', () => {
  it('delivers nothing until it is released, then everything', async () => {
    const { stream, feed, next, state } = createSubject();
    const first = next();
    stream.stall();
    feed('a', 'b', 'end');
    expect(await isSettled(first)).toBe(false);
    expect(state.reads).toBe(1);
    stream.release();
    expect([await first, await next(), await stream.next()]).toEqual(['a', 'b', over]);
  });

  it('resumes when the stall time is over', async () => {
    const { feed, next, clock } = createSubject({ stall: { fault: 'stallWatch', afterEvents: 1, forMilliseconds: 10 } });
    feed('a', 'b');
    expect(await next()).toBe('a');
    const second = next();
    clock.advance(9);
    expect(await isSettled(second)).toBe(false);
    clock.advance(1);
    expect(await second).toBe('b');
  });

  it('ends only after it is released', async () => {
    const { stream, feed, ends } = createSubject();
    const pending = stream.next();
    stream.stall();
    feed('a');
    expect(await isSettled(pending)).toBe(false);
    stream.cut(true);
    expect([await isSettled(pending), ends]).toEqual([false, []]);
    stream.release();
    await expect(pending).rejects.toMatchObject(broken);
    expect(ends).toEqual(['end']);
  });

  it('rejects pending reads when the signal aborts', async () => {
    const controller = new AbortController();
    const { stream, state } = createSubject({ signal: controller.signal });
    const pending = stream.next();
    stream.stall();
    controller.abort(new Error('enough'));
    await expect(pending).rejects.toThrow('enough');
    expect([await stream.next(), state.returned]).toEqual([over, 1]);
  });
});

it('splits a value that exceeds a limit', async () => {
  const splitter = {
    count: (text: string) => text.length,
    split: (text: string, at: number) => [text.slice(0, at), text.slice(at)] as const,
  };
  const { feed, next, stream } = createSubject({ splitter, stall: { fault: 'stallWatch', afterEvents: 3 } });
  feed('ab', 'cde');
  expect([await next(), await next()]).toEqual(['ab', 'c']);
  const rest = next();
  expect(await isSettled(rest)).toBe(false);
  stream.release();
  expect(await rest).toBe('de');
});

describe('gate', () => {
  function createSubject(signal?: AbortSignal) {
    const clock = createClock();
    const said: unknown[] = [];
    const gate = createGate(clock, { open: () => said.push('open'), abort: (reason) => said.push(reason) }, signal);
    return { clock, said, gate };
  }

  it('stays closed until it is opened, and reports opening once', () => {
    const { clock, said, gate } = createSubject();
    gate.open();
    expect([gate.closed, said]).toEqual([false, []]);
    gate.close();
    clock.advance(1e9);
    expect(gate.closed).toBe(true);
    gate.open();
    gate.open();
    expect([gate.closed, said]).toEqual([false, ['open']]);
  });

  it('opens when its time is over; the last close sets the time', () => {
    const { clock, said, gate } = createSubject();
    gate.close(5);
    gate.close(10);
    clock.advance(9);
    expect(gate.closed).toBe(true);
    clock.advance(1);
    expect([gate.closed, said, clock.scheduled]).toEqual([false, ['open'], 0]);
  });

  it('reports an aborted signal only while closed', () => {
    const controller = new AbortController();
    const { said, gate, clock } = createSubject(controller.signal);
    gate.close(5);
    gate.dispose();
    controller.abort('first');
    expect([said, clock.scheduled]).toEqual([[], 0]);
    gate.close();
    expect(said).toEqual(['first']);
  });
});

it('a queue answers reads in order', async () => {
  const queue = createQueue<string>();
  const pending = [queue.ask(), queue.ask()];
  expect([queue.pendingCount, queue.ended]).toEqual([2, false]);
  queue.answer('a');
  queue.answer('b');
  expect(await Promise.all(pending)).toEqual([
    { done: false, value: 'a' },
    { done: false, value: 'b' },
  ]);
});

it('a queue reports its error to the first pending or next read, and the end to all others', async () => {
  const error = new Error('broken');
  const over = { done: true, value: undefined };
  const early = createQueue<string>();
  const pending = [early.ask(), early.ask()];
  early.end({ error });
  early.end({ error: new Error('too late') });
  expect(early.ended).toBe(true);
  await expect(pending[0]).rejects.toBe(error);
  expect([await pending[1], await early.ask()]).toEqual([over, over]);
  const late = createQueue<string>();
  late.end({ error });
  await expect(late.ask()).rejects.toBe(error);
  expect(await late.ask()).toEqual(over);
});
