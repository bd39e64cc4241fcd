import { expect, test } from 'vitest';
import { fc } from '../../../../test/support/property.ts';
import { bucketLimiter, createQueue, exponentialLimiter, maxOf, type Queue } from '../../src/queue/index.ts';
import { createClock, type ManualClock, settle } from './clock.ts';

/** A simple model of the queue, without regard to speed. */
interface Model {
  time: number;
  waiting: string[];
  dirty: Set<string>;
  processing: string[];
  /** In the order of their first delay. */
  delayed: { readonly key: string; at: number }[];
  failures: Map<string, number>;
  /** The time of the next unreserved token if the bucket never filled up. */
  nextToken: number;
  /** Numbers of the pending take() calls. */
  asking: number[];
  requested: number;
  /** The result of each take() call. */
  got: Map<number, string | undefined>;
  closed: boolean;
  ended: boolean;
}

interface Real {
  readonly clock: ManualClock;
  readonly queue: Queue;
  readonly got: Map<number, string | undefined>;
  requested: number;
  ended: boolean;
}

type Step = fc.AsyncCommand<Model, Real>;

const [rate, burst, base, max] = [100, 3, 5, 100];

test('the queue behaves like the model for any sequence of operations', async () => {
  const key = fc.constantFrom('a', 'b', 'c', 'd', 'e');
  const number = fc.nat({ max: 5 });
  const delay = fc.oneof(fc.integer({ min: -1, max: 40 }), fc.integer({ min: 0, max: 2000 }));
  const steps = [
    fc.array(key, { minLength: 1, maxLength: 4 }).map((keys) => step(`add ${keys}`, (to) => each(keys, (one) => to.add(one)))),
    fc.tuple(key, delay).map(([each, wait]) => step(`addAfter ${each} ${wait}`, (to) => to.addAfter(each, wait))),
    key.map((each) => step(`addRateLimited ${each}`, (to) => to.addRateLimited(each))),
    key.map((each) => step(`forget ${each}`, (to) => to.forget(each))),
    fc.constant(step('take', (to) => to.take())),
    number.map((which) => step(`done ${which}`, (to) => to.done(which))),
    number.map((which) => step(`work ${which}`, (to) => to.work(which))),
    delay.map((wait) => step(`pass ${wait}`, (to) => to.pass(Math.max(0, wait)))),
    fc.integer({ min: 0, max: 2 ** 41 }).map((day) => step(`set the clock to ${day}`, (to) => to.setTimeOfDay(day))),
  ];
  // Rare, because little happens after it.
  const shutDown = fc.constant(step('shutDown', (to) => to.shutDown()));
  const anyStep = fc.oneof(...steps.map((arbitrary) => ({ arbitrary, weight: 10 })), { arbitrary: shutDown, weight: 2 });
  await fc.assert(
    fc.asyncProperty(fc.commands([anyStep], { maxCommands: 150, size: 'max' }), (commands) => fc.asyncModelRun(setUp, commands)),
    { numRuns: 400 },
  );
});

function setUp(): { model: Model; real: Real } {
  const clock = createClock();
  const limiter = maxOf(exponentialLimiter({ base, max }), bucketLimiter({ clock, rate, burst }));
  const model: Model = {
    time: 0,
    waiting: [],
    dirty: new Set(),
    processing: [],
    delayed: [],
    failures: new Map(),
    nextToken: Number.NEGATIVE_INFINITY,
    asking: [],
    requested: 0,
    got: new Map(),
    closed: false,
    ended: false,
  };
  return { model, real: { clock, queue: createQueue({ clock, name: 'endpoints', limiter }), got: new Map(), requested: 0, ended: false } };
}

/** The operations of a step on the model and on the queue. */
interface QueueView {
  add(key: string): void;
  addAfter(key: string, milliseconds: number): void;
  addRateLimited(key: string): void;
  forget(key: string): void;
  take(): void;
  /** Ends the work on the key with this index. */
  done(which: number): void;
  /** Ends the work on that key and takes the next one. */
  work(which: number): void;
  pass(milliseconds: number): void;
  setTimeOfDay(milliseconds: number): void;
  shutDown(): void;
}

function step(name: string, act: (view: QueueView) => void): Step {
  return {
    check: () => true,
    toString: () => name,
    async run(model, real) {
      act(viewOf(real, [...model.processing, ...model.waiting]));
      act(viewOfModel(model));
      await settle();
      serve(model);
      expect(seen(real.queue, real)).toEqual({
        length: model.waiting.length,
        processing: model.processing.length,
        delayed: model.delayed.length,
        failures: ['a', 'b', 'c', 'd', 'e'].map((key) => model.failures.get(key) ?? 0),
        got: [...model.got],
        ended: model.ended,
        scheduled: Math.min(1, model.delayed.length),
      });
    },
  };
}

const seen = (queue: Queue, { got, ended, clock }: Real): unknown => ({
  length: queue.length,
  processing: queue.processing,
  delayed: queue.delayed,
  failures: ['a', 'b', 'c', 'd', 'e'].map((key) => queue.failures(key)),
  got: [...got].sort(([a], [b]) => a - b),
  ended,
  scheduled: clock.scheduled,
});

/** @param keys keys in processing, then waiting keys, for which done() has no effect */
function viewOf(real: Real, keys: readonly string[]): QueueView {
  const { queue, clock, got } = real;
  const take = (): void => {
    const number = real.requested++;
    void queue.take().then((key) => got.set(number, key));
  };
  const done = (which: number): void => queue.done(keys[which] ?? 'unknown');
  return {
    add: queue.add,
    addAfter: queue.addAfter,
    addRateLimited: queue.addRateLimited,
    forget: queue.forget,
    take,
    done,
    work(which) {
      done(which);
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

function viewOfModel(model: Model): QueueView {
  const done = (which: number): void => {
    const [key] = model.processing.splice(which, 1);
    if (key !== undefined && model.dirty.has(key)) model.waiting.push(key);
  };
  const take = (): void => void model.asking.push(model.requested++);
  return {
    add: (key) => add(model, key),
    addAfter: (key, milliseconds) => addAfter(model, key, milliseconds),
    addRateLimited(key) {
      if (!model.closed) addAfter(model, key, delayOf(model, key));
    },
    forget: (key) => void model.failures.delete(key),
    take() {
      take();
      serve(model, false);
    },
    done,
    work(which) {
      done(which);
      take();
      serve(model, false);
    },
    pass(milliseconds) {
      model.time += milliseconds;
      const due = model.delayed.filter(({ at }) => at <= model.time).sort((a, b) => a.at - b.at);
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
  const at = model.time + milliseconds;
  const known = model.delayed.find((each) => each.key === key);
  if (known) known.at = Math.min(known.at, at);
  else model.delayed.push({ key, at });
}

/** A bucket, modelled by the time of its next token. */
function delayOf(model: Model, key: string): number {
  const failures = model.failures.get(key) ?? 0;
  model.failures.set(key, failures + 1);
  const interval = 1000 / rate;
  model.nextToken = Math.max(model.nextToken, model.time - burst * interval) + interval;
  return Math.max(Math.min(base * 2 ** failures, max), model.nextToken - model.time);
}

/** Hands keys to pending take() calls in order; once closed, the remaining calls get undefined. */
function serve(model: Model, all: boolean = true): void {
  while (model.asking.length > 0 && model.waiting.length > 0) {
    const key = model.waiting.shift() as string;
    model.dirty.delete(key);
    model.processing.push(key);
    model.got.set(model.asking.shift() as number, key);
  }
  if (!all || !model.closed) return;
  for (const number of model.asking.splice(0)) model.got.set(number, undefined);
  if (model.processing.length === 0) model.ended = true;
}

function each<T>(values: readonly T[], act: (value: T) => void): void {
  for (const value of values) act(value);
}
