import { describe, expect, it } from 'vitest';
import { createFaultInjectingStream, createGate, createQueue, type FaultInjectingStreamOptions } from '../../src/faults/stream.ts';
import { createClock, isSettled } from '../store/support.ts';

const endResult = { done: true, value: undefined };
const connectionReset = { code: 'ECONNRESET' };

/** Creates an iterator that yields the values passed to `feed`; an Error is thrown, and 'end' ends it. */
function createSource() {
  const queue: (string | Error)[] = [];
  let wake = (): void => undefined;
  const state = { readCount: 0, returnCount: 0 };
  const inner: AsyncIterator<string> = {
    async next() {
      state.readCount += 1;
      while (queue.length === 0) await new Promise<void>((resolve) => (wake = resolve));
      const value = queue.shift() as string | Error;
      if (value instanceof Error) throw value;
      return value === 'end' ? { done: true, value: undefined } : { done: false, value };
    },
    async return() {
      state.returnCount += 1;
      return { done: true, value: undefined };
    },
  };
  const feed = (...values: readonly (string | Error)[]): void => {
    queue.push(...values);
    wake();
  };
  return { inner, feed, state };
}

function createTestStream(options: Partial<FaultInjectingStreamOptions<string>> = {}) {
  const clock = createClock();
  const source = createSource();
  const ends: string[] = [];
  const stream = createFaultInjectingStream(source.inner, { clock, onEnd: () => ends.push('end'), ...options });
  const next = async (): Promise<unknown> => (await stream.next()).value;
  return { clock, ...source, stream, next, ends };
}

describe('a stream without faults', () => {
  it('passes on values, errors and the end, and reads one value at a time', async () => {
    const { stream, feed, state, ends } = createTestStream();
    const pendingReads = [stream.next(), stream.next(), stream.next()];
    expect(await isSettled(pendingReads[0] as Promise<unknown>)).toBe(false);
    expect(state.readCount).toBe(1);
    feed('a', 'b', 'end');
    expect(await Promise.all(pendingReads)).toEqual([{ done: false, value: 'a' }, { done: false, value: 'b' }, endResult]);
    expect([await stream.next(), ends, state.returnCount]).toEqual([endResult, ['end'], 1]);
    const failingStream = createTestStream();
    failingStream.feed(new Error('gone'));
    await expect(failingStream.stream.next()).rejects.toThrow('gone');
    expect(await failingStream.stream.next()).toEqual(endResult);
  });

  it('ends on return() and ends pending reads', async () => {
    const { stream, state, ends } = createTestStream();
    const pendingReads = stream.next();
    expect(await stream.return?.()).toEqual(endResult);
    expect([await pendingReads, state.returnCount, ends]).toEqual([endResult, 1, ['end']]);
    stream.cut(true);
    stream.stall();
    stream.release();
    expect(await stream.next()).toEqual(endResult);
    for await (const value of stream) expect(value).toBeUndefined();
  });
});

describe('a cut stream', () => {
  it('ends regularly or by a broken connection, with or without a pending read', async () => {
    const readStream = createTestStream();
    const pendingReads = readStream.stream.next();
    readStream.stream.cut(false);
    expect([await pendingReads, readStream.state.returnCount, readStream.ends]).toEqual([endResult, 1, ['end']]);
    const unreadStream = createTestStream();
    unreadStream.stream.cut(true);
    await expect(unreadStream.stream.next()).rejects.toMatchObject(connectionReset);
    expect(await unreadStream.stream.next()).toEqual(endResult);
  });

  it('is cut after a number of events, after a time, or immediately', async () => {
    const limitedByCount = createTestStream({ drop: { fault: 'dropWatch', afterEvents: 2, broken: true } });
    limitedByCount.feed('a', 'b', 'c');
    expect([await limitedByCount.next(), await limitedByCount.next()]).toEqual(['a', 'b']);
    await expect(limitedByCount.next()).rejects.toMatchObject(connectionReset);
    const limitedByTime = createTestStream({ drop: { fault: 'dropWatch', afterMilliseconds: 5 } });
    const pendingReads = limitedByTime.stream.next();
    limitedByTime.clock.advance(5);
    expect(await pendingReads).toEqual(endResult);
    const immediateStream = createTestStream({ drop: { fault: 'dropWatch' } });
    immediateStream.feed('a');
    expect([await immediateStream.stream.next(), immediateStream.state.readCount]).toEqual([endResult, 0]);
  });

  it('cancels its timers when it ends', async () => {
    const { stream, clock } = createTestStream({ drop: { fault: 'dropWatch', afterMilliseconds: 5 } });
    stream.stall(7);
    expect(clock.scheduled).toBe(2);
    await stream.return?.();
    expect(clock.scheduled).toBe(0);
  });
});

describe('a stalled stream', () => {
  it('delivers no values until it is released', async () => {
    const { stream, feed, next, state } = createTestStream();
    const firstRead = next();
    stream.stall();
    feed('a', 'b', 'end');
    expect(await isSettled(firstRead)).toBe(false);
    expect(state.readCount).toBe(1);
    stream.release();
    expect([await firstRead, await next(), await stream.next()]).toEqual(['a', 'b', endResult]);
  });

  it('resumes when the stall time is over', async () => {
    const { feed, next, clock } = createTestStream({ stall: { fault: 'stallWatch', afterEvents: 1, forMilliseconds: 10 } });
    feed('a', 'b');
    expect(await next()).toBe('a');
    const secondRead = next();
    clock.advance(9);
    expect(await isSettled(secondRead)).toBe(false);
    clock.advance(1);
    expect(await secondRead).toBe('b');
  });

  it('ends only after it is released, even if it was cut before', async () => {
    const { stream, feed, ends } = createTestStream();
    const pendingReads = stream.next();
    stream.stall();
    feed('a');
    expect(await isSettled(pendingReads)).toBe(false);
    stream.cut(true);
    expect([await isSettled(pendingReads), ends]).toEqual([false, []]);
    stream.release();
    await expect(pendingReads).rejects.toMatchObject(connectionReset);
    expect(ends).toEqual(['end']);
  });

  it('rejects pending reads when the signal aborts', async () => {
    const controller = new AbortController();
    const { stream, state } = createTestStream({ signal: controller.signal });
    const pendingReads = stream.next();
    stream.stall();
    controller.abort(new Error('enough'));
    await expect(pendingReads).rejects.toThrow('enough');
    expect([await stream.next(), state.returnCount]).toEqual([endResult, 1]);
  });
});

it('a stream splits a value at the event that triggers a fault', async () => {
  const splitter = {
    count: (text: string) => text.length,
    split: (text: string, index: number) => [text.slice(0, index), text.slice(index)] as const,
  };
  const { feed, next, stream } = createTestStream({ splitter, stall: { fault: 'stallWatch', afterEvents: 3 } });
  feed('ab', 'cde');
  expect([await next(), await next()]).toEqual(['ab', 'c']);
  const rest = next();
  expect(await isSettled(rest)).toBe(false);
  stream.release();
  expect(await rest).toBe('de');
});

describe('createGate', () => {
  function createTestGate(signal?: AbortSignal) {
    const clock = createClock();
    const events: unknown[] = [];
    const gate = createGate(clock, { open: () => events.push('open'), abort: (reason) => events.push(reason) }, signal);
    return { clock, events, gate };
  }

  it('keeps the gate closed until it is opened, and reports opening once', () => {
    const { clock, events, gate } = createTestGate();
    gate.open();
    expect([gate.isClosed, events]).toEqual([false, []]);
    gate.close();
    clock.advance(1e9);
    expect(gate.isClosed).toBe(true);
    gate.open();
    gate.open();
    expect([gate.isClosed, events]).toEqual([false, ['open']]);
  });

  it('opens the gate when its time is over; the last close sets the time', () => {
    const { clock, events, gate } = createTestGate();
    gate.close(5);
    gate.close(10);
    clock.advance(9);
    expect(gate.isClosed).toBe(true);
    clock.advance(1);
    expect([gate.isClosed, events, clock.scheduled]).toEqual([false, ['open'], 0]);
  });

  it('reports an aborted signal only while closed', () => {
    const controller = new AbortController();
    const { events, gate, clock } = createTestGate(controller.signal);
    gate.close(5);
    gate.dispose();
    controller.abort('first');
    expect([events, clock.scheduled]).toEqual([[], 0]);
    gate.close();
    expect(events).toEqual(['first']);
  });
});

it('a queue answers reads in order', async () => {
  const queue = createQueue<string>();
  const pendingReads = [queue.request(), queue.request()];
  expect([queue.pendingCount, queue.hasEnded]).toEqual([2, false]);
  queue.deliver('a');
  queue.deliver('b');
  expect(await Promise.all(pendingReads)).toEqual([
    { done: false, value: 'a' },
    { done: false, value: 'b' },
  ]);
});

it('a queue rejects the first pending or next read with its error and ends all others', async () => {
  const error = new Error('broken');
  const endResult = { done: true, value: undefined };
  const pendingQueue = createQueue<string>();
  const pendingReads = [pendingQueue.request(), pendingQueue.request()];
  pendingQueue.end({ error });
  pendingQueue.end({ error: new Error('too late') });
  expect(pendingQueue.hasEnded).toBe(true);
  await expect(pendingReads[0]).rejects.toBe(error);
  expect([await pendingReads[1], await pendingQueue.request()]).toEqual([endResult, endResult]);
  const endedQueue = createQueue<string>();
  endedQueue.end({ error });
  await expect(endedQueue.request()).rejects.toBe(error);
  expect(await endedQueue.request()).toEqual(endResult);
});
