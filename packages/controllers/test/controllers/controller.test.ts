import type { ClientPort } from 'kube-endpoints/port';
import { expect, test } from 'vitest';
import { type Controller, createController, type Job } from '../../src/controllers/controller.ts';
import { OwnershipLostError, StaleCacheError, UnplannableError } from '../../src/controllers/failures.ts';
import { createSetup } from '../../src/controllers/options.ts';
import type { RuntimeEvent } from '../../src/host/runtime-event.ts';
import { createExponentialLimiter } from '../../src/queue/index.ts';
import { createClock, type ManualClock } from '../queue/clock.ts';

interface Harness {
  readonly controller: Controller;
  readonly clock: ManualClock;
  /** The ended syncs: key, outcome, number of failures, number of writes. */
  readonly synced: string[];
  readonly forgotten: string[];
  readonly disowned: string[];
  owns: (key: string) => boolean;
  stop(): Promise<void>;
}

function createHarness(sync: (job: Job) => Promise<void> | void, maxRetries = 3): Harness {
  const clock = createClock();
  const synced: string[] = [];
  const forgotten: string[] = [];
  const disowned: string[] = [];
  const onEvent = (event: RuntimeEvent): void => {
    if (event.kind === 'synced') synced.push(`${event.key} ${event.outcome} ${event.failures} ${event.writes}`);
    if (event.kind === 'disowned') disowned.push(event.key);
  };
  const harness = { synced, forgotten, disowned, clock, owns: (_: string): boolean => true };
  const ownership = { owns: (key: string) => harness.owns(key), onChange: () => () => {} };
  const setup = createSetup({ port: {} as ClientPort, clock, maxRetries, ownership, onEvent });
  const controller = createController(
    { name: 'endpoints', limiter: createExponentialLimiter(), sync: async (job) => sync(job), forget: (key) => void forgotten.push(key) },
    setup,
  );
  const running = controller.run();
  const stop = (): Promise<void> => {
    controller.shutDown();
    return running;
  };
  return Object.assign(harness, { controller, stop });
}

test('a successful sync resets the failure count', async () => {
  let remainingFailures = 2;
  const { controller, clock, synced, stop } = createHarness((job) => {
    job.writes++;
    if (remainingFailures-- > 0) throw new Error('no');
  });
  controller.enqueue('a/b');
  await clock.pass(1000);
  expect(synced).toEqual(['a/b retried 1 1', 'a/b retried 2 1', 'a/b success 0 1']);
  expect(controller.idle).toBe(true);
  expect(controller.stats()).toMatchObject({ waiting: 0, syncs: { success: 1, retried: 2 }, writes: 3 });
  await stop();
});

test('a refused key is dropped after maxRetries and synced again after a change or within half an hour', async () => {
  let isRefused = true;
  const { controller, clock, synced, stop } = createHarness(() => {
    if (isRefused) throw new UnplannableError('not yet');
  });
  const outcomesOfOneSeries = ['a/b retried 1 0', 'a/b retried 2 0', 'a/b retried 3 0', 'a/b dropped 4 0'];
  controller.enqueue('a/b');
  await clock.pass(1_700_000);
  expect(synced).toEqual(outcomesOfOneSeries);
  expect(controller.idle).toBe(true);
  controller.enqueue('a/b');
  await clock.pass(1000);
  expect(synced).toEqual([...outcomesOfOneSeries, ...outcomesOfOneSeries]);
  isRefused = false;
  await clock.pass(200_000);
  expect(synced.slice(8)).toEqual(['a/b success 0 0']);
  isRefused = true;
  controller.enqueue('a/b');
  await clock.pass(1000);
  await stop();
  expect(clock.scheduled).toBe(0);
});

test('a key dropped after other failures is retried after two minutes', async () => {
  let isDown = true;
  const harness = createHarness(() => {
    if (isDown) throw new Error('connection refused');
  });
  harness.controller.enqueue('a/b');
  await harness.clock.pass(60_000);
  expect(harness.synced.at(-1)).toBe('a/b dropped 4 0');
  expect(harness.controller.idle).toBe(false);
  isDown = false;
  await harness.clock.pass(60_100);
  expect(harness.synced.at(-1)).toBe('a/b success 0 0');
  await harness.stop();
});

test('a sync with a stale cache has the outcome requeued and is repeated', async () => {
  let isStale = true;
  const { controller, clock, synced, stop } = createHarness(() => {
    if (isStale) throw new StaleCacheError('late');
  });
  controller.enqueue('a/b');
  await clock.pass(1);
  isStale = false;
  await clock.pass(100);
  expect(synced).toEqual(['a/b requeued 1 0', 'a/b success 0 0']);
  await stop();
});

test('the failure count is reset if ownership is lost or the Service is gone', async () => {
  let isServiceGone = false;
  const harness = createHarness((job) => {
    job.isServiceGone = isServiceGone;
    if (!isServiceGone) throw new Error('no');
  });
  const { controller, clock, synced, disowned, stop } = harness;
  controller.enqueue('a/b');
  await clock.pass(10);
  harness.owns = () => false;
  controller.adopt(['a/b']);
  controller.adopt(['a/b']);
  expect([synced, disowned]).toEqual([['a/b retried 1 0', 'a/b retried 2 0'], ['a/b']]);
  await clock.pass(1000);
  harness.owns = () => true;
  controller.adopt(['a/b']);
  await clock.pass(0);
  expect(synced.at(-1)).toBe('a/b retried 1 0');
  isServiceGone = true;
  await clock.pass(1000);
  expect([synced.at(-1), disowned]).toEqual(['a/b success 0 0', ['a/b', 'a/b']]);
  await stop();
});

test('keys of other replicas are not synced, and lost keys are forgotten', async () => {
  const harness = createHarness(() => {});
  const { controller, clock, synced, forgotten, stop } = harness;
  harness.owns = (key) => key === 'a/mine';
  controller.enqueue('a/mine');
  controller.enqueue('a/theirs');
  await clock.pass(0);
  expect(synced).toEqual(['a/mine success 0 0']);
  harness.owns = (key) => key === 'a/theirs';
  controller.adopt(['a/mine', 'a/theirs']);
  await clock.pass(0);
  expect(synced).toEqual(['a/mine success 0 0', 'a/theirs success 0 0']);
  expect(forgotten).toEqual(['a/mine', 'a/theirs']);
  controller.adopt(['a/mine', 'a/theirs']);
  await clock.pass(0);
  expect(synced).toHaveLength(2);
  await stop();
});

test('a key whose ownership is lost during its sync is requeued, and synced when ownership returns', async () => {
  const harness = createHarness(({ key }) => {
    if (!harness.owns(key)) throw new OwnershipLostError(key);
  });
  const { controller, clock, synced, stop } = harness;
  let checks = 0;
  // Ownership is lost at the third check, which the sync makes.
  harness.owns = () => checks++ === 0 || checks === 2;
  controller.enqueue('a/b');
  await clock.pass(10_000);
  expect(synced).toEqual(['a/b requeued 1 0']);
  harness.owns = () => true;
  controller.adopt(['a/b']);
  await clock.pass(0);
  expect(synced.at(-1)).toBe('a/b success 0 0');
  await stop();
});

test('shutdown finishes queued keys and drops delayed keys', async () => {
  const { controller, synced, stop, clock } = createHarness(() => {});
  controller.enqueue('a/now');
  controller.enqueue('a/later', 1000);
  await stop();
  controller.enqueue('a/after');
  await clock.pass(5000);
  expect(synced).toEqual(['a/now success 0 0']);
});
