import { ApiError, type ClientPort } from 'kube-endpoints/port';
import { beforeEach, describe, expect, test } from 'vitest';
import type { CorrelatedEvent } from '../../src/events/correlate.ts';
import { createWriter, type EventWriter } from '../../src/events/write.ts';
import { createClock, flushPromises, type ManualClock } from '../queue/clock.ts';
import { createEventFactory } from './support.ts';

let clock: ManualClock;
let stop: AbortController;
/** The errors of the next requests; undefined if a request succeeds. */
let nextErrors: (Error | undefined)[];
let attemptTimes: number[];
let reported: string[];
let observed: unknown[];
let write: EventWriter;
let correlated: CorrelatedEvent;

beforeEach(() => {
  clock = createClock();
  stop = new AbortController();
  [nextErrors, attemptTimes, reported, observed] = [[], [], [], []];
  const port = {
    create(_resource: unknown, object: unknown) {
      attemptTimes.push(clock.elapsed());
      const error = nextErrors.shift();
      return error ? Promise.reject(error) : Promise.resolve(object);
    },
  } as unknown as ClientPort;
  const { signal } = stop;
  write = createWriter({ port, clock, random: () => 0.25, signal, onEvent: (_, outcome) => reported.push(outcome) });
  correlated = { event: createEventFactory(clock)(), patch: undefined, key: 'k' };
});

const start = (): Promise<void> => write(correlated, (written) => observed.push(written));
const networkErrors = (count: number): Error[] => Array.from({ length: count }, () => new Error('ECONNREFUSED'));
const retryAfterErrors = (count: number): ApiError[] => Array.from({ length: count }, () => new ApiError({ ...status, code: 429 }));
const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', details: { retryAfterSeconds: 3 } } as const;

describe('if the server does not answer, a write', () => {
  test('is retried after up to ten seconds, then every ten seconds', async () => {
    nextErrors = networkErrors(3);
    const writing = start();
    await clock.pass(60_000);
    await writing;
    expect(attemptTimes).toEqual([0, 2500, 12_500, 22_500]);
    expect(reported).toEqual(['retried', 'retried', 'retried', 'created']);
    expect(observed).toEqual([correlated.event]);
  });

  test('is dropped after twelve attempts', async () => {
    nextErrors = networkErrors(100);
    const writing = start();
    await clock.pass(3_600_000);
    await writing;
    expect([attemptTimes.length, attemptTimes.at(-1)]).toEqual([12, 102_500]);
    expect(reported.slice(-2)).toEqual(['retried', 'dropped']);
    expect(observed).toEqual([]);
  });
});

describe('if the response has Retry-After, a write', () => {
  test('is retried after that delay', async () => {
    nextErrors = retryAfterErrors(2);
    const writing = start();
    await clock.pass(10_000);
    await writing;
    expect([attemptTimes, reported]).toEqual([
      [0, 3000, 6000],
      ['retried', 'retried', 'created'],
    ]);
  });

  test('is retried ten times; a network error in between allows ten more retries', async () => {
    nextErrors = retryAfterErrors(100);
    const writing = start();
    await clock.pass(100_000);
    await writing;
    expect([attemptTimes.length, reported.at(-1)]).toEqual([11, 'refused']);
    [nextErrors, attemptTimes, reported] = [[...retryAfterErrors(10), ...networkErrors(1), ...retryAfterErrors(10)], [], []];
    const secondWrite = start();
    await clock.pass(100_000);
    await secondWrite;
    expect([attemptTimes.length, reported.at(-1)]).toEqual([22, 'created']);
  });
});

test('a refused write is not retried', async () => {
  nextErrors = [new ApiError({ ...status, code: 403 })];
  await start();
  expect([attemptTimes.length, reported, observed]).toEqual([1, ['refused'], []]);
});

describe('after the signal is aborted', () => {
  test('a waiting write is attempted once more at once', async () => {
    nextErrors = networkErrors(1);
    const writing = start();
    await flushPromises();
    stop.abort();
    await writing;
    expect([attemptTimes, reported, clock.scheduled]).toEqual([[0, 0], ['retried', 'created'], 0]);
  });

  test('later writes are dropped without an attempt after a network error', async () => {
    nextErrors = networkErrors(2);
    const writing = start();
    await flushPromises();
    stop.abort();
    await writing;
    await start();
    expect([attemptTimes.length, reported]).toEqual([2, ['retried', 'dropped', 'dropped']]);
  });

  test('a Retry-After response does not drop later writes', async () => {
    stop.abort();
    nextErrors = retryAfterErrors(1);
    await start();
    await start();
    expect([attemptTimes.length, reported]).toEqual([2, ['refused', 'created']]);
  });
});
