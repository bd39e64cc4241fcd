import type { ClientPort } from 'kube-endpoints/port';
import { expect, test } from 'vitest';
import { type Controller, createController, type Job } from '../../src/controllers/controller.ts';
import { OwnershipLost, StaleCache, Unplannable } from '../../src/controllers/failures.ts';
import { createSetup } from '../../src/controllers/options.ts';
import type { RuntimeEvent } from '../../src/host/runtime-event.ts';
import { exponentialLimiter } from '../../src/queue/index.ts';
import { createClock, type ManualClock } from '../queue/clock.ts';

interface Bench {
  readonly controller: Controller;
  readonly clock: ManualClock;
  readonly synced: string[];
  readonly forgotten: string[];
  readonly disowned: string[];
  owned: (key: string) => boolean;
  end(): Promise<void>;
}

function bench(sync: (job: Job) => Promise<void> | void, maxRetries = 3): Bench {
  const clock = createClock();
  const synced: string[] = [];
  const forgotten: string[] = [];
  const disowned: string[] = [];
  const onEvent = (each: RuntimeEvent): void => {
    if (each.kind === 'synced') synced.push(`${each.key} ${each.outcome} ${each.failures} ${each.writes}`);
    if (each.kind === 'disowned') disowned.push(each.key);
  };
  const harness = { synced, forgotten, disowned, clock, owned: (_: string): boolean => true };
  const ownership = { owns: (key: string) => harness.owned(key), onChange: () => () => {} };
  const setup = createSetup({ port: {} as ClientPort, clock, maxRetries, ownership, onEvent });
  const controller = createController(
    { name: 'endpoints', limiter: exponentialLimiter(), sync: async (job) => sync(job), forget: (key) => void forgotten.push(key) },
    setup,
  );
  const running = controller.run();
  const end = (): Promise<void> => {
    controller.shutDown();
    return running;
  };
  return Object.assign(harness, { controller, end });
}

test('a successful sync resets the failure count', async () => {
  let fails = 2;
  const { controller, clock, synced, end } = bench((job) => {
    job.writes++;
    if (fails-- > 0) throw new Error('no');
  });
  controller.enqueue('a/b');
  await clock.pass(1000);
  expect(synced).toEqual(['a/b retried 1 1', 'a/b retried 2 1', 'a/b success 0 1']);
  expect(controller.idle).toBe(true);
  expect(controller.stats()).toMatchObject({ waiting: 0, syncs: { success: 1, retried: 2 }, writes: 3 });
  await end();
});

test('a refused key is dropped after maxRetries and synced again after a change or within half an hour', async () => {
  let policy = true;
  const { controller, clock, synced, end } = bench(() => {
    if (policy) throw new Unplannable('not yet');
  });
  const series = ['a/b retried 1 0', 'a/b retried 2 0', 'a/b retried 3 0', 'a/b dropped 4 0'];
  controller.enqueue('a/b');
  await clock.pass(1_700_000);
  expect(synced).toEqual(series);
  expect(controller.idle).toBe(true);
  controller.enqueue('a/b');
  await clock.pass(1000);
  expect(synced).toEqual([...series, ...series]);
  policy = false;
  await clock.pass(200_000);
  expect(synced.slice(8)).toEqual(['a/b success 0 0']);
  policy = true;
  controller.enqueue('a/b');
  await clock.pass(1000);
  await end();
  expect(clock.scheduled).toBe(0);
});

test('a key dropped after other failures is retried after two minutes', async () => {
  let down = true;
  const away = bench(() => {
    if (down) throw new Error('connection refused');
  });
  away.controller.enqueue('a/b');
  await away.clock.pass(60_000);
  expect(away.synced.at(-1)).toBe('a/b dropped 4 0');
  expect(away.controller.idle).toBe(false);
  down = false;
  await away.clock.pass(60_100);
  expect(away.synced.at(-1)).toBe('a/b success 0 0');
  await away.end();
});

test('a stale cache requeues a key and is not counted as a failure', async () => {
  let late = true;
  const { controller, clock, synced, end } = bench(() => {
    if (late) throw new StaleCache('late');
  });
  controller.enqueue('a/b');
  await clock.pass(1);
  late = false;
  await clock.pass(100);
  expect(synced).toEqual(['a/b requeued 1 0', 'a/b success 0 0']);
  await end();
});

test('the failure count is reset if ownership is lost or the Service is gone', async () => {
  let gone = false;
  const harness = bench((job) => {
    job.isServiceGone = gone;
    if (!gone) throw new Error('no');
  });
  const { controller, clock, synced, disowned, end } = harness;
  controller.enqueue('a/b');
  await clock.pass(10);
  harness.owned = () => false;
  controller.adopt(['a/b']);
  controller.adopt(['a/b']);
  expect([synced, disowned]).toEqual([['a/b retried 1 0', 'a/b retried 2 0'], ['a/b']]);
  await clock.pass(1000);
  harness.owned = () => true;
  controller.adopt(['a/b']);
  await clock.pass(0);
  expect(synced.at(-1)).toBe('a/b retried 1 0');
  gone = true;
  await clock.pass(1000);
  expect([synced.at(-1), disowned]).toEqual(['a/b success 0 0', ['a/b', 'a/b']]);
  await end();
});

test('keys of other replicas are not synced, and lost keys are forgotten', async () => {
  const harness = bench(() => {});
  const { controller, clock, synced, forgotten, end } = harness;
  harness.owned = (key) => key === 'a/mine';
  controller.enqueue('a/mine');
  controller.enqueue('a/theirs');
  await clock.pass(0);
  expect(synced).toEqual(['a/mine success 0 0']);
  harness.owned = (key) => key === 'a/theirs';
  controller.adopt(['a/mine', 'a/theirs']);
  await clock.pass(0);
  expect(synced).toEqual(['a/mine success 0 0', 'a/theirs success 0 0']);
  expect(forgotten).toEqual(['a/mine', 'a/theirs']);
  controller.adopt(['a/mine', 'a/theirs']);
  await clock.pass(0);
  expect(synced).toHaveLength(2);
  await end();
});

test('requeues a key whose ownership was lost during its sync', async () => {
  const harness = bench(({ key }) => {
    if (!harness.owned(key)) throw new OwnershipLost(key);
  });
  const { controller, clock, synced, end } = harness;
  let checks = 0;
  harness.owned = () => checks++ === 0 || checks === 2;
  controller.enqueue('a/b');
  await clock.pass(10_000);
  expect(synced).toEqual(['a/b requeued 1 0']);
  harness.owned = () => true;
  controller.adopt(['a/b']);
  await clock.pass(0);
  expect(synced.at(-1)).toBe('a/b success 0 0');
  await end();
});

test('shutdown finishes queued keys and drops delayed keys', async () => {
  const { controller, synced, end, clock } = bench(() => {});
  controller.enqueue('a/now');
  controller.enqueue('a/later', 1000);
  await end();
  controller.enqueue('a/after');
  await clock.pass(5000);
  expect(synced).toEqual(['a/now success 0 0']);
});
