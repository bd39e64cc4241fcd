import { ApiError, type ClientPort } from 'kube-endpoints/port';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Correlated } from '../../src/events/correlate.ts';
import { createWriter, type EventWriter } from '../../src/events/write.ts';
import { createClock, type ManualClock, settle } from '../queue/clock.ts';
import { eventsAt } from './support.ts';

let clock: ManualClock;
let stop: AbortController;
/** The next results of the server; undefined is success. */
let answers: (Error | undefined)[];
let tried: number[];
let reported: string[];
let observed: unknown[];
let write: EventWriter;
let correlated: Correlated;

beforeEach(() => {
  clock = createClock();
  stop = new AbortController();
  [answers, tried, reported, observed] = [[], [], [], []];
  const port = {
    create(_resource: unknown, object: unknown) {
      tried.push(clock.elapsed());
      const error = answers.shift();
      return error ? Promise.reject(error) : Promise.resolve(object);
    },
  } as unknown as ClientPort;
  const { signal } = stop;
  write = createWriter({ port, clock, random: () => 0.25, signal, onEvent: (_, outcome) => reported.push(outcome) });
  correlated = { event: eventsAt(clock)(), patch: undefined, key: 'k' };
});

const start = (): Promise<void> => write(correlated, (written) => observed.push(written));
const lost = (count: number): Error[] => Array.from({ length: count }, () => new Error('ECONNREFUSED'));
const busy = (count: number): ApiError[] => Array.from({ length: count }, () => new ApiError({ ...status, code: 429 }));
const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', details: { retryAfterSeconds: 3 } } as const;

describe('if the server does not answer, a write', () => {
  test('is retried after up to ten seconds, then every ten seconds', async () => {
    answers = lost(3);
    const done = start();
    await clock.pass(60_000);
    await done;
    expect(tried).toEqual([0, 2500, 12_500, 22_500]);
    expect(reported).toEqual(['retried', 'retried', 'retried', 'created']);
    expect(observed).toEqual([correlated.event]);
  });

  test('is dropped after twelve attempts', async () => {
    answers = lost(100);
    const done = start();
    await clock.pass(3_600_000);
    await done;
    expect([tried.length, tried.at(-1)]).toEqual([12, 102_500]);
    expect(reported.slice(-2)).toEqual(['retried', 'dropped']);
    expect(observed).toEqual([]);
  });
});

describe('if the response has Retry-After, a write', () => {
  test('is retried after that delay', async () => {
    answers = busy(2);
    const done = start();
    await clock.pass(10_000);
    await done;
    expect([tried, reported]).toEqual([
      [0, 3000, 6000],
      ['retried', 'retried', 'created'],
    ]);
  });

  test('is retried ten times, and ten more times after a network error', async () => {
    answers = busy(100);
    const done = start();
    await clock.pass(100_000);
    await done;
    expect([tried.length, reported.at(-1)]).toEqual([11, 'refused']);
    [answers, tried, reported] = [[...busy(10), ...lost(1), ...busy(10)], [], []];
    const again = start();
    await clock.pass(100_000);
    await again;
    expect([tried.length, reported.at(-1)]).toEqual([22, 'created']);
  });
});

test('a refused write is not retried', async () => {
  answers = [new ApiError({ ...status, code: 403 })];
  await start();
  expect([tried.length, reported, observed]).toEqual([1, ['refused'], []]);
});

describe('after stop', () => {
  test('a waiting write is attempted once more at once', async () => {
    answers = lost(1);
    const done = start();
    await settle();
    stop.abort();
    await done;
    expect([tried, reported, clock.scheduled]).toEqual([[0, 0], ['retried', 'created'], 0]);
  });

  test('later writes are dropped without an attempt after a network error', async () => {
    answers = lost(2);
    const done = start();
    await settle();
    stop.abort();
    await done;
    await start();
    expect([tried.length, reported]).toEqual([2, ['retried', 'dropped', 'dropped']]);
  });

  test('a Retry-After response does not drop later writes', async () => {
    stop.abort();
    answers = busy(1);
    await start();
    await start();
    expect([tried.length, reported]).toEqual([2, ['refused', 'created']]);
  });
});
