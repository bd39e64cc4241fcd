import { describe, expect, test } from 'vitest';
import { pause } from '../../src/faults/server.ts';
import { createFaultInjectingStream } from '../../src/faults/stream.ts';
import { createAlarm, systemClock, toKeepAliveClock } from '../../src/store/clock.ts';
import { createStore } from '../../src/store/index.ts';
import { createClock, pods } from './support.ts';

test('systemClock.schedule calls back unless cancelled', async () => {
  const calls: string[] = [];
  systemClock.schedule(() => calls.push('cancelled'), 0).cancel();
  await new Promise<void>((resolve) => {
    const keepsAlive = setInterval(() => {}, 1000);
    systemClock.schedule(() => {
      clearInterval(keepsAlive);
      resolve();
    }, 0);
  });
  expect(calls).toEqual([]);
});

test('systemClock.schedule does not fire early for a delay beyond the limit of timers', () => {
  let called = false;
  const call = systemClock.schedule(() => {
    called = true;
  }, Number.MAX_SAFE_INTEGER);
  call.cancel();
  expect(called).toBe(false);
  expect(systemClock.now()).toBeGreaterThan(1_600_000_000_000);
});

describe('the process', () => {
  /** The number of timers that keep the process alive. */
  const countAliveTimers = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;

  /** The number of such timers that an operation adds while it runs, and that remain after it is aborted. */
  async function countAddedTimers(begin: (signal: AbortSignal) => Promise<unknown>): Promise<readonly number[]> {
    const before = countAliveTimers();
    const controller = new AbortController();
    const pending = begin(controller.signal);
    const during = countAliveTimers() - before;
    controller.abort(new Error('enough'));
    await pending.catch(() => undefined);
    return [during, countAliveTimers() - before];
  }

  const store = createStore({ clock: systemClock });

  test('is not kept alive by background calls or a watch without timeout', async () => {
    const before = countAliveTimers();
    systemClock.schedule(() => {}, 60_000).cancel();
    const call = systemClock.schedule(() => {}, 60_000);
    expect(countAliveTimers()).toBe(before);
    call.cancel();
    expect(await countAddedTimers((signal) => store.watch(pods, { allowWatchBookmarks: true, signal }).next())).toEqual([0, 0]);
  });

  test('is kept alive by calls that a caller awaits', async () => {
    expect(await countAddedTimers((signal) => pause(systemClock, 60_000, new Set(), signal))).toEqual([1, 0]);
    expect(await countAddedTimers((signal) => store.waitUntilFresh('99', signal))).toEqual([1, 0]);
    expect(await countAddedTimers((signal) => store.watch(pods, { timeoutSeconds: 60, signal }).next())).toEqual([1, 0]);
    const futureVersion = { resourceVersion: '99', sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' };
    expect(await countAddedTimers((signal) => store.watch(pods, { ...futureVersion, signal }).next())).toEqual([1, 0]);
    const silentSource = { next: () => new Promise<never>(() => {}) };
    const stall = { fault: 'stallWatch', forMilliseconds: 60_000 } as const;
    expect(
      await countAddedTimers((signal) => createFaultInjectingStream(silentSource, { clock: systemClock, signal, stall }).next()),
    ).toEqual([1, 0]);
  });

  test('is not affected by a manual clock', () => {
    const clock = createClock();
    expect(toKeepAliveClock(clock)).toBe(clock);
    const shiftedClock = toKeepAliveClock({ ...systemClock, now: () => 5 });
    expect(shiftedClock.now()).toBe(5);
  });
});

function createTestAlarm() {
  const clock = createClock(0);
  const calledAt: number[] = [];
  return { clock, calledAt, alarm: createAlarm(clock, () => calledAt.push(clock.now())) };
}

test('an alarm calls back once, at the earliest of its times', () => {
  const { clock, calledAt, alarm } = createTestAlarm();
  for (const dueAt of [50, 30, 40]) alarm.set(dueAt);
  expect(clock.scheduled).toBe(1);
  clock.advance(100);
  expect(calledAt).toEqual([30]);
});

test('an alarm can be set again, even to a past time, and cancelled', () => {
  const { clock, calledAt, alarm } = createTestAlarm();
  alarm.set(10);
  clock.advance(20);
  alarm.set(5);
  clock.advance(0);
  expect(calledAt).toEqual([10, 20]);
  alarm.set(30);
  alarm.cancel();
  expect(clock.scheduled).toBe(0);
});
