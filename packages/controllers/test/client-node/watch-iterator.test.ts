import { PassThrough } from 'node:stream';
import type { WatchEvent } from 'kube-endpoints/port';
import { describe, expect, it } from 'vitest';
import { fc } from '../../../../test/support/property.ts';
import { flushPromises } from '../../../apiserver/test/store/support.ts';
import { createLines, createWatchIterator } from '../../src/client-node/watch-iterator.ts';
import { errorOf, notFound } from './support.ts';

const requestLine = { method: 'GET', path: '/api/v1/pods?watch=true' };
const event = (name: string): WatchEvent => ({ type: 'ADDED', object: { metadata: { name } } });
const formatLine = (value: unknown): string => `${JSON.stringify(value)}\n`;

function setUp({ maxEventBytes = 1000, maxBufferedBytes = 0 } = {}) {
  const response = new PassThrough();
  const state = { opened: 0, closed: 0, isAborted: false, onError: (_: unknown): void => undefined };
  const iterator = createWatchIterator({
    requestLine,
    maxEventBytes,
    maxBufferedBytes,
    async open(onError) {
      state.opened += 1;
      state.onError = onError;
      return response;
    },
    close() {
      state.closed += 1;
    },
    isAborted: () => state.isAborted,
  });
  const next = async (): Promise<unknown> => {
    const { value, done } = await iterator.next();
    return done ? 'end' : value;
  };
  return { response, state, iterator, next };
}

describe('createWatchIterator', () => {
  it('sends the request on the first next()', async () => {
    const { response, state, next } = setUp();
    expect(state.opened).toBe(0);
    const first = next();
    expect(state.opened).toBe(1);
    response.write(formatLine(event('a')));
    expect(await first).toEqual(event('a'));
  });

  it('returns events in order to pending calls, then always the end', async () => {
    const { response, state, next } = setUp();
    const results = Promise.all([next(), next(), next()]);
    response.end(formatLine(event('a')) + formatLine(event('b')));
    expect(await results).toEqual([event('a'), event('b'), 'end']);
    expect(await next()).toBe('end');
    expect([state.opened, state.closed]).toEqual([1, 1]);
  });

  it('pauses the response while no call is pending', async () => {
    const { response, next } = setUp();
    const first = next();
    response.write(formatLine(event('a')) + formatLine(event('b')));
    expect(await first).toEqual(event('a'));
    expect(response.isPaused()).toBe(true);
    response.write(formatLine(event('c')));
    await flushPromises();
    expect(response.readableLength).toBeGreaterThan(0);
    expect(await next()).toEqual(event('b'));
    expect(await next()).toEqual(event('c'));
    expect(response.isPaused()).toBe(false);
  });

  it('reads ahead up to maxBufferedBytes', async () => {
    const maxBufferedBytes = formatLine(event('a')).length * 2;
    const { response, next } = setUp({ maxBufferedBytes });
    const first = next();
    for (const name of ['a', 'b', 'c']) response.write(formatLine(event(name)));
    await first;
    await flushPromises();
    expect(response.isPaused()).toBe(false);
    response.write(formatLine(event('d')));
    await flushPromises();
    expect(response.isPaused()).toBe(true);
    for (const name of ['b', 'c', 'd']) expect(await next()).toEqual(event(name));
  });

  it('returns buffered events before an error, but not after an abort', async () => {
    const error = new Error('broken');
    for (const isAborted of [false, true]) {
      const { response, state, next } = setUp();
      const first = next();
      response.write(formatLine(event('a')) + formatLine(event('b')));
      await first;
      state.isAborted = isAborted;
      state.onError(error);
      if (!isAborted) expect(await next()).toEqual(event('b'));
      expect(await errorOf(next())).toBe(error);
      expect(await next()).toBe('end');
    }
  });

  it('rejects with the Status of an ERROR event, then ends', async () => {
    const { response, state, next } = setUp();
    response.write(formatLine({ type: 'ERROR', object: { ...notFound, code: 410, reason: 'Expired' } }) + formatLine(event('a')));
    expect(await errorOf(next())).toMatchObject({ name: 'ApiError', code: 410, reason: 'Expired' });
    expect(await next()).toBe('end');
    expect(state.closed).toBe(1);
  });

  it.each([
    ['{"type":"ADD', 'GET /api/v1/pods: the answer with 200 cannot be read'],
    ['<html>Please log in</html>', '(Please log in)'],
    ['null', 'this is not a watch event'],
    ['{"type":"GONE","object":{}}', 'this is not a watch event'],
    ['{"type":"ADDED"}', 'this is not a watch event'],
    ['{"type":"ERROR","object":"oh"}', 'the watch ended with an error that is not a Status'],
  ])('rejects a malformed event: %s', async (line, message) => {
    const { response, state, next } = setUp();
    response.write(`${line}\n`);
    expect((await errorOf(next())).message).toContain(message);
    expect(await next()).toBe('end');
    expect(state.closed).toBe(1);
  });

  it('rejects an event that is longer than maxEventBytes', async () => {
    const { response, state, next } = setUp({ maxEventBytes: 100 });
    response.write(formatLine(event('a')) + 'x'.repeat(101));
    expect(await next()).toEqual(event('a'));
    expect(await errorOf(next())).toMatchObject({ message: 'GET /api/v1/pods: an event is longer than 100 bytes', code: 'EMSGSIZE' });
    expect(state.closed).toBe(1);
  });

  it('ends pending calls when the iterator returns', async () => {
    const { response, state, iterator, next } = setUp();
    const waiting = next();
    await iterator.return?.();
    expect(await waiting).toBe('end');
    response.write(formatLine(event('a')));
    expect(await next()).toBe('end');
    expect(state.closed).toBeGreaterThan(0);
  });

  it('sends no request if the iterator returns first', async () => {
    const { state, iterator, next } = setUp();
    await iterator.return?.();
    expect(await next()).toBe('end');
    expect(state.opened).toBe(0);
  });
});

it('a watch that cannot be opened rejects with the cause', async () => {
  const error = new Error('refused');
  const iterator = createWatchIterator({
    requestLine,
    maxEventBytes: 1000,
    maxBufferedBytes: 0,
    open: () => Promise.reject(error),
    close: () => undefined,
    isAborted: () => false,
  });
  expect(await errorOf(iterator.next())).toBe(error);
  expect(await iterator.next()).toEqual({ done: true, value: undefined });
});

const readLines = (lines: ReturnType<typeof createLines>): string[] => {
  const texts: string[] = [];
  for (let line = lines.shift(); line !== undefined; line = lines.shift()) texts.push(line);
  return texts;
};

describe('createLines', () => {
  it('joins lines across any chunks', () => {
    const texts = fc.array(fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll('\n', '')));
    const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 });
    fc.assert(
      fc.property(texts, sizes, (texts, chunkSizes) => {
        const lines = createLines(10_000);
        const bytes = Buffer.from(texts.join('\n'));
        for (let offset = 0, i = 0; offset < bytes.length; i += 1) {
          const size = chunkSizes[i % chunkSizes.length] as number;
          expect(lines.add(bytes.subarray(offset, offset + size))).toBe(true);
          offset += size;
        }
        lines.finish();
        expect(lines.byteCount).toBe(Buffer.byteLength(texts.join('')));
        expect(readLines(lines)).toEqual(texts.filter((line) => line !== ''));
        expect(lines.byteCount).toBe(0);
      }),
    );
  });

  it('returns a line once it is complete', () => {
    const lines = createLines(100);
    lines.add(Buffer.from('on'));
    expect(lines.byteCount).toBe(0);
    lines.add(Buffer.from('e\ntw'));
    expect(lines.byteCount).toBe(3);
    expect(readLines(lines)).toEqual(['one']);
    lines.add(Buffer.from('o\n\n'));
    expect(readLines(lines)).toEqual(['two']);
    lines.add(Buffer.from('three\nfo'));
    lines.clear();
    lines.add(Buffer.from('ur\n'));
    expect(readLines(lines)).toEqual(['ur']);
  });

  it.each([
    ['in one piece', ['123456\n']],
    ['in pieces', ['12', '34', '56']],
    ['after others', ['1\n2\n', '345', '678\n']],
  ])('rejects a line that is too long: %s', (_, chunks) => {
    const lines = createLines(5);
    expect(chunks.map((chunk) => lines.add(Buffer.from(chunk))).at(-1)).toBe(false);
  });

  it('accepts a line as long as the limit', () => {
    const lines = createLines(5);
    expect(lines.add(Buffer.from('12345\n123'))).toBe(true);
    expect(lines.add(Buffer.from('45\n'))).toBe(true);
    expect(readLines(lines)).toEqual(['12345', '12345']);
  });
});
