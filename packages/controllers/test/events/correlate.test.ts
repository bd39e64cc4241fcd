import { describe, expect, test } from 'vitest';
import { type CorrelatedEvent, type Correlator, createCorrelator, createLru } from '../../src/events/correlate.ts';
import { createClock, type ManualClock } from '../queue/clock.ts';
import { createEventFactory, type MakeEvent, web } from './support.ts';

interface Setup {
  readonly clock: ManualClock;
  readonly correlator: Correlator;
  readonly makeEvent: MakeEvent;
}

function setUp(): Setup {
  const clock = createClock();
  return { clock, correlator: createCorrelator({ clock }), makeEvent: createEventFactory(clock) };
}

/** A short form of a correlated Event. */
const summaryOf = (correlated: CorrelatedEvent | undefined): unknown =>
  correlated && [correlated.event.metadata.name, correlated.event.message, correlated.event.count, correlated.patch?.count];

const minute = 60_000;

describe('a repeated Event', () => {
  test('patches the first Event', () => {
    const { clock, correlator, makeEvent } = setUp();
    const first = makeEvent();
    expect(correlator.correlate(first)).toMatchObject({ event: first, patch: undefined });
    clock.advance(90_000);
    const second = correlator.correlate(makeEvent());
    expect(second?.event).toEqual({ ...first, count: 2, lastTimestamp: '2026-01-02T03:05:35Z' });
    expect(second?.patch).toEqual({ count: 2, lastTimestamp: '2026-01-02T03:05:35Z', message: 'no' });
  });

  test('has no message in its patch if the message is empty', () => {
    const { correlator, makeEvent } = setUp();
    correlator.correlate(makeEvent({ message: '' }));
    expect(correlator.correlate(makeEvent({ message: '' }))?.patch).not.toHaveProperty('message');
  });

  test('uses the name, count and firstTimestamp that the server returned', () => {
    const { correlator, makeEvent } = setUp();
    const first = correlator.correlate(makeEvent()) as CorrelatedEvent;
    const written = { metadata: { name: 'as-the-server-has-it' }, count: 7, firstTimestamp: '2020-01-01T00:00:00Z' };
    correlator.observe(written, first);
    const second = correlator.correlate(makeEvent());
    expect(second).toMatchObject({
      event: { metadata: { name: 'as-the-server-has-it' }, count: 8, firstTimestamp: '2020-01-01T00:00:00Z' },
    });
  });

  test.each([
    ['object', { object: { ...web, name: 'other' } }],
    ['uid of the object', { object: { ...web, uid: 'u2' } }],
    ['fieldPath', { object: { ...web, fieldPath: 'subsets[0]' } }],
    ['type', { type: 'Normal' }],
    ['reason', { reason: 'FailedToUpdateEndpoint' }],
    ['message', { message: 'yes' }],
  ] as const)('is a separate Event with a different %s', (_, changes) => {
    const { correlator, makeEvent } = setUp();
    correlator.correlate(makeEvent());
    expect(correlator.correlate(makeEvent(changes))?.patch).toBeUndefined();
  });

  test('is a separate Event if only the concatenated fields are equal', () => {
    const { correlator, makeEvent } = setUp();
    correlator.correlate(makeEvent({ object: { ...web, namespace: 'a', name: 'bc' } }));
    expect(correlator.correlate(makeEvent({ object: { ...web, namespace: 'ab', name: 'c' } }))?.patch).toBeUndefined();
  });
});

describe('similar Events', () => {
  const messages = (count: number): string[] => Array.from({ length: count }, (_, i) => `no ${i + 1}`);

  test('are combined from the tenth on', () => {
    const { clock, correlator, makeEvent } = setUp();
    const correlatedEvents = messages(12).map((message) => {
      clock.advance(1000);
      return correlator.correlate(makeEvent({ message }));
    });
    expect(correlatedEvents.slice(8).map(summaryOf)).toEqual([
      ['web.9', 'no 9', 1, undefined],
      ['web.10', '(combined from similar events): no 10', 1, undefined],
      ['web.10', '(combined from similar events): no 11', 2, 2],
      ['web.10', '(combined from similar events): no 12', 3, 3],
    ]);
    expect(correlatedEvents[9]?.event).toMatchObject({
      involvedObject: web,
      source: { component: 'endpoint-controller' },
      reportingComponent: '',
      firstTimestamp: '2026-01-02T03:04:15Z',
      lastTimestamp: '2026-01-02T03:04:15Z',
    });
    expect(correlatedEvents[11]?.patch).toEqual({
      count: 3,
      lastTimestamp: '2026-01-02T03:04:17Z',
      message: '(combined from similar events): no 12',
    });
    expect(correlatedEvents[11]?.event.firstTimestamp).toBe('2026-01-02T03:04:15Z');
  });

  test('are counted from zero after more than ten minutes without a similar Event', () => {
    const { clock, correlator, makeEvent } = setUp();
    for (const message of messages(9)) correlator.correlate(makeEvent({ message }));
    clock.advance(10 * minute);
    expect(correlator.correlate(makeEvent({ message: 'no 10' }))?.event.message).toMatch(/^\(combined/);
    clock.advance(10 * minute + 1);
    for (const message of messages(9)) expect(correlator.correlate(makeEvent({ message }))?.event.message).toBe(message);
  });

  test('are counted as long as no gap exceeds ten minutes', () => {
    const { clock, correlator, makeEvent } = setUp();
    const texts = messages(11).map((message) => {
      clock.advance(10 * minute);
      return correlator.correlate(makeEvent({ message }))?.event.message;
    });
    expect(texts.slice(8)).toEqual(['no 9', '(combined from similar events): no 10', '(combined from similar events): no 11']);
  });

  test('increase the count of an Event if they repeat its message and it is among the last nine', () => {
    const { correlator, makeEvent } = setUp();
    for (const message of messages(10)) correlator.correlate(makeEvent({ message }));
    expect(summaryOf(correlator.correlate(makeEvent({ message: 'no 10' })))).toEqual(['web.11', 'no 10', 1, undefined]);
    expect(summaryOf(correlator.correlate(makeEvent({ message: 'no 5' })))).toEqual(['web.5', 'no 5', 2, 2]);
    expect(summaryOf(correlator.correlate(makeEvent({ message: 'no 1' })))).toEqual([
      'web.10',
      '(combined from similar events): no 1',
      2,
      2,
    ]);
  });

  test('with another reason, type or object are counted separately', () => {
    const { correlator, makeEvent } = setUp();
    for (const message of messages(9)) correlator.correlate(makeEvent({ message }));
    const others = [{ reason: 'R' }, { type: 'Normal' }, { object: { ...web, uid: 'u2' } }] as const;
    for (const other of others) expect(correlator.correlate(makeEvent({ message: 'no 10', ...other }))?.event.message).toBe('no 10');
  });
});

describe('Events over the rate limit', () => {
  test('from one source about one object are dropped after 25, except one every five minutes, but still counted', () => {
    const { clock, correlator, makeEvent } = setUp();
    const counts = (times: number): (number | undefined)[] =>
      Array.from({ length: times }, () => correlator.correlate(makeEvent())?.event.count);
    expect(counts(27)).toEqual([...Array.from({ length: 25 }, (_, i) => i + 1), undefined, undefined]);
    clock.advance(5 * minute - 1);
    expect(counts(1)).toEqual([undefined]);
    clock.advance(1);
    expect(counts(2)).toEqual([29, undefined]);
    clock.advance(30 * minute);
    expect(counts(7).filter((count) => count !== undefined)).toHaveLength(6);
  });

  test('share one quota across reasons, but not across types and objects', () => {
    const { correlator, makeEvent } = setUp();
    for (let i = 0; i < 25; i++) correlator.correlate(makeEvent({ reason: `R${i % 5}` }));
    expect(correlator.correlate(makeEvent({ reason: 'new' }))).toBeUndefined();
    expect(correlator.correlate(makeEvent({ type: 'Normal' }))).toBeDefined();
    expect(correlator.correlate(makeEvent({ object: { ...web, name: 'other' } }))).toBeDefined();
  });
});

test('the rate limit is independent of the time of day', () => {
  const { clock, correlator, makeEvent } = setUp();
  for (let i = 0; i < 25; i++) correlator.correlate(makeEvent());
  clock.setTimeOfDay(clock.now() + 86_400_000);
  expect(correlator.correlate(makeEvent())).toBeUndefined();
  clock.setTimeOfDay(0);
  clock.advance(5 * minute);
  expect(correlator.correlate(makeEvent())?.patch).toEqual({ count: 27, lastTimestamp: '1970-01-01T00:05:00Z', message: 'no' });
});

test('an Event is evicted from the cache after 4,096 other Events', () => {
  const { correlator, makeEvent } = setUp();
  correlator.correlate(makeEvent());
  const correlateOthers = (count: number): void => {
    for (let i = 0; i < count; i++) correlator.correlate(makeEvent({ object: { ...web, name: `other-${i}` } }));
  };
  correlateOthers(4095);
  expect(correlator.correlate(makeEvent())?.patch?.count).toBe(2);
  correlateOthers(4096);
  expect(correlator.correlate(makeEvent())?.patch).toBeUndefined();
});

test('the LRU evicts the least recently used entry', () => {
  const lru = createLru<number>(3);
  for (const [i, key] of ['a', 'b', 'c'].entries()) lru.set(key, i);
  expect(lru.get('a')).toBe(0);
  lru.set('d', 3);
  expect([lru.size, lru.get('b'), lru.get('a'), lru.get('c'), lru.get('d')]).toEqual([3, undefined, 0, 2, 3]);
  lru.set('a', 10);
  lru.set('e', 4);
  expect([lru.size, lru.get('c'), lru.get('a')]).toEqual([3, undefined, 10]);
});
