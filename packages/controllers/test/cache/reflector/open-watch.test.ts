import type { WatchEvent } from 'kube-endpoints/port';
import { describe, expect, it } from 'vitest';
import {
  isExpired,
  isInitialEventsEnd,
  isTimeout,
  needsList,
  openWatch,
  type ParsedEvent,
  parseEvent,
  refusesWatchList,
  retryAfterOf,
  toTimeoutError,
} from '../../../src/cache/reflector/open-watch.ts';
import {
  apiError,
  bookmark,
  createConnectionReset,
  createFakePort,
  createTestClock,
  event,
  type FakePortOptions,
  flushPromises,
  initialEndBookmark,
  pod,
  pods,
} from '../support.ts';

const setup = (options?: FakePortOptions) => {
  const clock = createTestClock();
  const port = createFakePort(options);
  const controller = new AbortController();
  const source = { port, clock, resource: pods, signal: controller.signal };
  const watch = openWatch(source, { timeoutSeconds: 300 });
  return { clock, port, controller, watch };
};

describe('a watch of openWatch', () => {
  it('returns events, and undefined at the end', async () => {
    const { port, watch } = setup();
    await port.latestWatch.send(bookmark(5));
    await expect(watch.next()).resolves.toEqual(bookmark(5));
    await port.latestWatch.end();
    await expect(watch.next()).resolves.toBeUndefined();
  });

  it('rejects with errors of the port', async () => {
    const { port, watch } = setup();
    await port.latestWatch.fail(createConnectionReset());
    await expect(watch.next()).rejects.toThrow('ECONNRESET');
    await watch.close();
  });

  it('leaves no timers if the port throws synchronously', () => {
    const clock = createTestClock();
    const { signal } = new AbortController();
    const port = {
      watch: (): never => {
        throw createConnectionReset();
      },
    };
    expect(() => openWatch({ port, clock, resource: pods, signal }, { timeoutSeconds: 300 })).toThrow('ECONNRESET');
  });

  it('rejects with the abort reason, during and after a wait', async () => {
    const { port, controller, watch } = setup();
    const rejection = expect(watch.next()).rejects.toBe('enough');
    await flushPromises();
    controller.abort('enough');
    await rejection;
    await expect(watch.next()).rejects.toBe('enough');
    expect(port.latestWatch.options.signal?.aborted).toBe(true);
  });

  it('times out at its deadline, which each event postpones', async () => {
    const { clock, port, watch } = setup();
    watch.setDeadline(() => watch.lastEventAt + 100);
    const first = watch.next();
    await clock.pass(60);
    await port.latestWatch.send(bookmark(5));
    await first;
    const rejection = expect(watch.next()).rejects.toMatchObject({ name: 'TimeoutError' });
    await clock.pass(99);
    expect(port.latestWatch.options.signal?.aborted).toBe(false);
    await clock.pass(1);
    expect(port.latestWatch.options.signal?.aborted).toBe(true);
    await rejection;
    await expect(watch.next()).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  it("closes the port's iterator and its timers", async () => {
    const { clock, port, watch } = setup();
    watch.setDeadline(() => 1000);
    await watch.close();
    await watch.close();
    expect(port.latestWatch.isClosed).toBe(true);
    expect(port.latestWatch.options.signal?.aborted).toBe(true);
    expect(clock.scheduled).toBe(0);
  });

  it('waits at most 5 s for the port to close', async () => {
    const { clock, watch } = setup({ ignoresClose: true });
    let isClosed = false;
    const closing = watch.close().then(() => {
      isClosed = true;
    });
    await clock.pass(4999);
    expect(isClosed).toBe(false);
    await clock.pass(1);
    await closing;
    expect(clock.scheduled).toBe(0);
  });
});

const asEvent = (value: unknown): WatchEvent => value as WatchEvent;

describe('parseEvent', () => {
  it('parses changes and bookmarks', () => {
    expect(parseEvent(event('MODIFIED', pod('a', 7)))).toEqual({ type: 'MODIFIED', object: pod('a', 7), version: '7' });
    expect(parseEvent(bookmark(8))).toMatchObject({ type: 'BOOKMARK', version: '8' });
  });

  it.each([
    ['no version', event('ADDED', pod('a', undefined))],
    ['no name', event('ADDED', { metadata: { resourceVersion: '7' } })],
    ['an unknown type', asEvent({ type: 'MOVED', object: pod('a', 7) })],
    ['no object', asEvent({ type: 'ADDED' })],
    ['a bookmark without a version', asEvent({ type: 'BOOKMARK', object: { metadata: {} } })],
  ])('returns undefined for an event with %s', (_, watchEvent) => {
    expect(parseEvent(watchEvent)).toBeUndefined();
  });

  it('throws the Status of an ERROR event, or an Error if it has no Status', () => {
    const status = { kind: 'Status', status: 'Failure', code: 410, reason: 'Expired', message: 'too old' };
    expect(() => parseEvent(asEvent({ type: 'ERROR', object: status }))).toThrow(expect.objectContaining({ code: 410, reason: 'Expired' }));
    expect(() => parseEvent(asEvent({ type: 'ERROR', object: 'oh' }))).toThrow('the watch failed: "oh"');
  });
});

describe('isInitialEventsEnd', () => {
  it('is true only for a bookmark with the annotation', () => {
    expect(isInitialEventsEnd(parseEvent(initialEndBookmark(7)) as ParsedEvent)).toBe(true);
    expect(isInitialEventsEnd(parseEvent(bookmark(7)) as ParsedEvent)).toBe(false);
    const annotations = { 'k8s.io/initial-events-end': 'true' };
    expect(isInitialEventsEnd(parseEvent(event('ADDED', pod('a', 7, { annotations }))) as ParsedEvent)).toBe(false);
  });
});

describe('isExpired', () => {
  it.each([
    [apiError(410, 'Expired'), true],
    [apiError(410, 'Gone'), true],
    [apiError(410, ''), true],
    [apiError(500, 'Expired'), true],
    [apiError(404, 'NotFound'), false],
    [createConnectionReset(), false],
    [undefined, false],
  ])('of %s is %s', (error, expected) => {
    expect(isExpired(error)).toBe(expected);
  });
});

describe('needsList', () => {
  it.each([
    ['the cause of current releases', { causes: [{ reason: 'ResourceVersionTooLarge' }] }, '', true],
    ['the cause of Kubernetes up to 1.18.5', { causes: [{ message: 'Too large resource version' }] }, '', true],
    ['the message of Kubernetes releases without causes', undefined, 'Too large resource version: 9, current: 7', true],
    ['another timeout', undefined, 'the request timed out', false],
  ])('recognizes a too large resourceVersion by %s', (_, details, message, expected) => {
    expect(needsList(apiError(504, 'Timeout', details, message))).toBe(expected);
  });
});

describe('refusesStreams', () => {
  it('is true for 400, 405, 406 and 422 only', () => {
    const codes = [400, 401, 403, 404, 405, 406, 409, 410, 422, 429, 500, 503, 504];
    expect(codes.filter((code) => refusesWatchList(apiError(code, '')))).toEqual([400, 405, 406, 422]);
    expect(refusesWatchList(createConnectionReset())).toBe(false);
  });
});

describe('retryAfterOf', () => {
  it.each([
    [7, 7000],
    [0, 0],
    [-3, 0],
    [1e9, 300_000],
    [Number.NaN, 0],
  ])('reads %s s as %s ms', (retryAfterSeconds, milliseconds) => {
    expect(retryAfterOf(apiError(429, 'TooManyRequests', { retryAfterSeconds }))).toBe(milliseconds);
  });

  it('returns 0 if the error has no retryAfterSeconds', () => {
    expect(retryAfterOf(apiError(429, 'TooManyRequests'))).toBe(0);
    expect(retryAfterOf(createConnectionReset())).toBe(0);
  });
});

describe('toTimeoutError', () => {
  it('creates an error that isTimeout recognizes', () => {
    expect(isTimeout(toTimeoutError('late'))).toBe(true);
    expect(isTimeout(createConnectionReset())).toBe(false);
  });
});
