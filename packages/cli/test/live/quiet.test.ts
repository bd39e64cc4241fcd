import { expect, test } from 'vitest';
import { waitUntilQuiet } from '../../src/live/progress.ts';

/** Returns the number of polls after which the host counts as quiet. */
async function countPollsUntilQuiet(
  stateAt: (pollCount: number) => { ready?: boolean; idle?: boolean; eventCount?: number },
): Promise<number> {
  let pollCount = 0;
  const clock = {
    now: () => 0,
    schedule(call: () => void) {
      pollCount += 1;
      queueMicrotask(call);
      return { cancel: () => undefined };
    },
  };
  const currentState = () => ({ ready: true, idle: true, eventCount: 0, ...stateAt(pollCount) });
  const host = {
    get ready() {
      return currentState().ready;
    },
    get idle() {
      return currentState().idle;
    },
  };
  const progress = {
    get eventCount() {
      return currentState().eventCount;
    },
  };
  await waitUntilQuiet(host, progress, { clock, signal: new AbortController().signal });
  return pollCount;
}

test('waitUntilQuiet waits for five consecutive idle polls without activity after the first one', async () => {
  expect(await countPollsUntilQuiet(() => ({}))).toBe(6);
  expect(await countPollsUntilQuiet((pollCount) => ({ ready: pollCount > 10 }))).toBe(15);
  expect(await countPollsUntilQuiet((pollCount) => ({ idle: pollCount > 10 }))).toBe(15);
  expect(await countPollsUntilQuiet((pollCount) => ({ eventCount: Math.min(pollCount, 10) }))).toBe(15);
  expect(await countPollsUntilQuiet((pollCount) => ({ idle: pollCount !== 4 }))).toBe(9);
});

test('waitUntilQuiet stops waiting when aborted', async () => {
  const idleClock = { now: () => 0, schedule: () => ({ cancel: () => undefined }) };
  await waitUntilQuiet({ ready: false, idle: false }, { eventCount: 0 }, { clock: idleClock, signal: AbortSignal.abort() });
});
