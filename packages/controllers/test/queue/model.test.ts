import { expect, test } from 'vitest';
import { fc } from '../../../../test/support/property.ts';
import { combineLimiters, createBucketLimiter, createExponentialLimiter, createQueue, type Queue } from '../../src/queue/index.ts';
import { createClock, flushPromises, type ManualClock } from './clock.ts';

/** A simple and slow model of the queue. */
interface Model {
  time: number;
  waiting: string[];
  dirty: Set<string>;
  processing: string[];
  /** In the order of their first delay. */
  delayed: { readonly key: string; dueAt: number }[];
  failures: Map<string, number>;
  /** The time of the next unreserved token if the bucket never filled up. */
  nextToken: number;
  /** Numbers of the pending take() calls. */
  pendingTakes: number[];
  takeCount: number;
  /** The result of each take() call. */
  results: Map<number, string | undefined>;
  closed: boolean;
  ended: boolean;
}

interface RealQueue {
  readonly clock: ManualClock;
  readonly queue: Queue;
  readonly results: Map<number, string | undefined>;
  takeCount: number;
  ended: boolean;
}

type Step = fc.AsyncCommand<Model, RealQueue>;

const [rate, burst, base, max] = [100, 3, 5, 100]; // keys per second, keys, milliseconds, milliseconds

test('the queue behaves like the model for any sequence of operations', async () => {
  const key = fc.constantFrom('a', 'b', 'c', 'd', 'e');
  const number = fc.nat({ max: 5 });
  const delay = fc.oneof(fc.integer({ min: -1, max: 40 }), fc.integer({ min: 0, max: 2000 }));
  const steps = [
    fc
      .array(key, { minLength: 1, maxLength: 4 })
      .map((keys) => step(`add ${keys}`, (operations) => forEach(keys, (name) => operations.add(name)))),
    fc.tuple(key, delay).map(([name, wait]) => step(`addAfter ${name} ${wait}`, (operations) => operations.addAfter(name, wait))),
    key.map((name) => step(`addRateLimited ${name}`, (operations) => operations.addRateLimited(name))),
    key.map((name) => step(`forget ${name}`, (operations) => operations.forget(name))),
    fc.constant(step('take', (operations) => operations.take())),
    number.map((index) => step(`done ${index}`, (operations) => operations.done(index))),
    number.map((index) => step(`work ${index}`, (operations) => operations.work(index))),
    delay.map((wait) => step(`pass ${wait}`, (operations) => operations.pass(Math.max(0, wait)))),
    fc.integer({ min: 0, max: 2 ** 41 }).map((day) => step(`set the clock to ${day}`, (operations) => operations.setTimeOfDay(day))),
  ];
  // Rare, because most steps have no effect after it.
  const shutDown = fc.constant(step('shutDown', (operations) => operations.shutDown()));
  const anyStep = fc.oneof(...steps.map((arbitrary) => ({ arbitrary, weight: 10 })), { arbitrary: shutDown, weight: 2 });
  await fc.assert(
    fc.asyncProperty(fc.commands([anyStep], { maxCommands: 150, size: 'max' }), (commands) => fc.asyncModelRun(setUp, commands)),
    { numRuns: 400 },
  );
});

function setUp(): { model: Model; real: RealQueue } {
  const clock = createClock();
  const limiter = combineLimiters(createExponentialLimiter({ base, max }), createBucketLimiter({ clock, rate, burst }));
  const model: Model = {
    time: 0,
    waiting: [],
    dirty: new Set(),
    processing: [],
    delayed: [],
    failures: new Map(),
    nextToken: Number.NEGATIVE_INFINITY,
    pendingTakes: [],
    takeCount: 0,
    results: new Map(),
    closed: false,
    ended: false,
  };
  return {
    model,
    real: { clock, queue: createQueue({ clock, name: 'endpoints', limiter }), results: new Map(), takeCount: 0, ended: false },
  };
}

/** The operations that a step applies to both the model and the queue. */
interface QueueOperations {
  add(key: string): void;
  addAfter(key: string, milliseconds: number): void;
  addRateLimited(key: string): void;
  forget(key: string): void;
  take(): void;
  /** Ends the work on the key with this index. */
  done(index: number): void;
  /** Ends the work on that key and takes the next one. */
  work(index: number): void;
  pass(milliseconds: number): void;
  setTimeOfDay(milliseconds: number): void;
  shutDown(): void;
}

function step(name: string, apply: (operations: QueueOperations) => void): Step {
  return {
    check: () => true,
    toString: () => name,
    async run(model, real) {
      apply(operationsOnQueue(real, [...model.processing, ...model.waiting]));
      apply(operationsOnModel(model));
      await flushPromises();
      serveTakes(model);
      expect(stateOf(real.queue, real)).toEqual({
        length: model.waiting.length,
        processing: model.processing.length,
        delayed: model.delayed.length,
        failures: ['a', 'b', 'c', 'd', 'e'].map((key) => model.failures.get(key) ?? 0),
        results: [...model.results],
        ended: model.ended,
        scheduled: Math.min(1, model.delayed.length),
      });
    },
  };
}

const stateOf = (queue: Queue, { results, ended, clock }: RealQueue): unknown => ({
  length: queue.length,
  processing: queue.processing,
  delayed: queue.delayed,
  failures: ['a', 'b', 'c', 'd', 'e'].map((key) => queue.failures(key)),
  results: [...results].sort(([a], [b]) => a - b),
  ended,
  scheduled: clock.scheduled,
});

/** @param keys keys in processing, then waiting keys, for which done() has no effect */
function operationsOnQueue(real: RealQueue, keys: readonly string[]): QueueOperations {
  const { queue, clock, results } = real;
  const take = (): void => {
    const number = real.takeCount++;
    void queue.take().then((key) => results.set(number, key));
  };
  const done = (index: number): void => queue.done(keys[index] ?? 'unknown');
  return {
    add: queue.add,
    addAfter: queue.addAfter,
    addRateLimited: queue.addRateLimited,
    forget: queue.forget,
    take,
    done,
    work(index) {
      done(index);
      take();
    },
    pass: clock.advance,
    setTimeOfDay: clock.setTimeOfDay,
    shutDown: () =>
      void queue.shutDown().then(() => {
        real.ended = true;
      }),
  };
}

function operationsOnModel(model: Model): QueueOperations {
  const done = (index: number): void => {
    const [key] = model.processing.splice(index, 1);
    if (key !== undefined && model.dirty.has(key)) model.waiting.push(key);
  };
  const take = (): void => void model.pendingTakes.push(model.takeCount++);
  return {
    add: (key) => add(model, key),
    addAfter: (key, milliseconds) => addAfter(model, key, milliseconds),
    addRateLimited(key) {
      if (!model.closed) addAfter(model, key, delayOf(model, key));
    },
    forget: (key) => void model.failures.delete(key),
    take() {
      take();
      serveTakes(model, { mayEnd: false });
    },
    done,
    work(index) {
      done(index);
      take();
      serveTakes(model, { mayEnd: false });
    },
    pass(milliseconds) {
      model.time += milliseconds;
      const due = model.delayed.filter(({ dueAt }) => dueAt <= model.time).sort((a, b) => a.dueAt - b.dueAt);
      model.delayed = model.delayed.filter((each) => !due.includes(each));
      for (const { key } of due) add(model, key);
    },
    setTimeOfDay: () => {},
    shutDown() {
      model.closed = true;
      model.delayed = [];
    },
  };
}

function add(model: Model, key: string): void {
  if (model.closed || model.dirty.has(key)) return;
  model.dirty.add(key);
  if (!model.processing.includes(key)) model.waiting.push(key);
}

function addAfter(model: Model, key: string, milliseconds: number): void {
  if (model.closed) return;
  if (milliseconds <= 0) {
    add(model, key);
    return;
  }
  const dueAt = model.time + milliseconds;
  const existing = model.delayed.find((each) => each.key === key);
  if (existing) existing.dueAt = Math.min(existing.dueAt, dueAt);
  else model.delayed.push({ key, dueAt });
}

/** Models the token bucket by the time of its next token. */
function delayOf(model: Model, key: string): number {
  const failures = model.failures.get(key) ?? 0;
  model.failures.set(key, failures + 1);
  const interval = 1000 / rate;
  model.nextToken = Math.max(model.nextToken, model.time - burst * interval) + interval;
  return Math.max(Math.min(base * 2 ** failures, max), model.nextToken - model.time);
}

/** Hands keys to pending take() calls in order. If the queue is closed and `mayEnd` is set, the remaining calls get undefined. */
function serveTakes(model: Model, { mayEnd = true }: { readonly mayEnd?: boolean } = {}): void {
  while (model.pendingTakes.length > 0 && model.waiting.length > 0) {
    const key = model.waiting.shift() as string;
    model.dirty.delete(key);
    model.processing.push(key);
    model.results.set(model.pendingTakes.shift() as number, key);
  }
  if (!mayEnd || !model.closed) return;
  for (const number of model.pendingTakes.splice(0)) model.results.set(number, undefined);
  if (model.processing.length === 0) model.ended = true;
}

function forEach<T>(values: readonly T[], apply: (value: T) => void): void {
  for (const value of values) apply(value);
}
