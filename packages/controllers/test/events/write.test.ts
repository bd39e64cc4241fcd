import { ApiError, type ClientPort } from 'kube-endpoints/port';
import { beforeEach, describe, expect, test } from 'vitest';
import type { CorrelatedEvent } from '../../src/events/correlate.ts';
import { createWriter, type EventWriter } from '../../src/events/write.ts';
import { createClock, flushPromises, type ManualClock } from '../queue/clock.ts';
import { createEventFactory } from './support.ts';

let clock: ManualClock;
let stopController: AbortController;
/** The errors of the next requests; undefined if a request succeeds. */
let nextErrors: (Error | undefined)[];
let attemptTimes: number[];
let reportedOutcomes: string[];
let observedEvents: unknown[];
let write: EventWriter;
let correlated: CorrelatedEvent;

beforeEach(() => {
  clock = createClock();
  stopController = new AbortController();
  [nextErrors, attemptTimes, reportedOutcomes, observedEvents] = [[], [], [], []];
  const port = {
    create(_resource: unknown, object: unknown) {
      attemptTimes.push(clock.elapsed());
      const error = nextErrors.shift();
      return error ? Promise.reject(error) : Promise.resolve(object);
    },
  } as unknown as ClientPort;
  const { signal } = stopController;
  write = createWriter({ port, clock, random: () => 0.25, signal, onEvent: (_, outcome) => reportedOutcomes.push(outcome) });
  correlated = { event: createEventFactory(clock)(), patch: undefined, key: 'k' };
});

const startWrite = (): Promise<void> => write(correlated, (written) => observedEvents.push(written));
const networkErrors = (count: number): Error[] => Array.from({ length: count }, () => new Error('ECONNREFUSED'));
const retryAfterErrors = (count: number): ApiError[] => Array.from({ length: count }, () => new ApiError({ ...status, code: 429 }));
const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', details: { retryAfterSeconds: 3 } } as const;

describe('if the server does not answer, a write', () => {
  test('is retried after up to ten seconds, then every ten seconds', async () => {
    nextErrors = networkErrors(3);
    const writing = startWrite();
    await clock.pass(60_000);
    await writing;
    expect(attemptTimes).toEqual([0, 2500, 12_500, 22_500]);
    expect(reportedOutcomes).toEqual(['retried', 'retried', 'retried', 'created']);
    expect(observedEvents).toEqual([correlated.event]);
  });

  test('is dropped after twelve attempts', async () => {
    nextErrors = networkErrors(100);
    const writing = startWrite();
    await clock.pass(3_600_000);
    await writing;
    expect([attemptTimes.length, attemptTimes.at(-1)]).toEqual([12, 102_500]);
    expect(reportedOutcomes.slice(-2)).toEqual(['retried', 'dropped']);
    expect(observedEvents).toEqual([]);
  });
});

describe('if the response has Retry-After, a write', () => {
  test('is retried after that delay', async () => {
    nextErrors = retryAfterErrors(2);
    const writing = startWrite();
    await clock.pass(10_000);
    await writing;
    expect([attemptTimes, reportedOutcomes]).toEqual([
      [0, 3000, 6000],
      ['retried', 'retried', 'created'],
    ]);
  });

  test('is retried ten times; a network error in between allows ten more retries', async () => {
    nextErrors = retryAfterErrors(100);
    const writing = startWrite();
    await clock.pass(100_000);
    await writing;
    expect([attemptTimes.length, reportedOutcomes.at(-1)]).toEqual([11, 'refused']);
    [nextErrors, attemptTimes, reportedOutcomes] = [[...retryAfterErrors(10), ...networkErrors(1), ...retryAfterErrors(10)], [], []];
    const secondWrite = startWrite();
    await clock.pass(100_000);
    await secondWrite;
    expect([attemptTimes.length, reportedOutcomes.at(-1)]).toEqual([22, 'created']);
  });
});

test('a refused write is not retried', async () => {
  nextErrors = [new ApiError({ ...status, code: 403 })];
  await startWrite();
  expect([attemptTimes.length, reportedOutcomes, observedEvents]).toEqual([1, ['refused'], []]);
});

describe('after the signal is aborted', () => {
  test('a waiting write is attempted once more at once', async () => {
    nextErrors = networkErrors(1);
    const writing = startWrite();
    await flushPromises();
    stopController.abort();
    await writing;
    expect([attemptTimes, reportedOutcomes, clock.scheduled]).toEqual([[0, 0], ['retried', 'created'], 0]);
  });

  test('later writes are dropped without an attempt after a network error', async () => {
    nextErrors = networkErrors(2);
    const writing = startWrite();
    await flushPromises();
    stopController.abort();
    await writing;
    await startWrite();
    expect([attemptTimes.length, reportedOutcomes]).toEqual([2, ['retried', 'dropped', 'dropped']]);
  });

  test('a Retry-After response does not drop later writes', async () => {
    stopController.abort();
    nextErrors = retryAfterErrors(1);
    await startWrite();
    await startWrite();
    expect([attemptTimes.length, reportedOutcomes]).toEqual([2, ['refused', 'created']]);
  });
});
