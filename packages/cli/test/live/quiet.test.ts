import { expect, test } from 'vitest';
import { untilQuiet } from '../../src/live/progress.ts';

/** Returns the number of polls after which the host counts as quiet. */
async function countRoundsUntilQuiet(stateAt: (round: number) => { ready?: boolean; idle?: boolean; activity?: number }): Promise<number> {
  let round = 0;
  const clock = {
    now: () => 0,
    schedule(call: () => void) {
      round += 1;
      queueMicrotask(call);
      return { cancel: () => undefined };
    },
  };
  const currentState = () => ({ ready: true, idle: true, activity: 0, ...stateAt(round) });
  const host = {
    get ready() {
      return currentState().ready;
    },
    get idle() {
      return currentState().idle;
    },
  };
  const progress = {
    get activity() {
      return currentState().activity;
    },
  };
  await untilQuiet(host, progress, { clock, signal: new AbortController().signal });
  return round;
}

test('untilQuiet waits for five consecutive idle polls without activity after the first one', async () => {
  expect(await countRoundsUntilQuiet(() => ({}))).toBe(6);
  expect(await countRoundsUntilQuiet((round) => ({ ready: round > 10 }))).toBe(15);
  expect(await countRoundsUntilQuiet((round) => ({ idle: round > 10 }))).toBe(15);
  expect(await countRoundsUntilQuiet((round) => ({ activity: Math.min(round, 10) }))).toBe(15);
  expect(await countRoundsUntilQuiet((round) => ({ idle: round !== 4 }))).toBe(9);
});

test('untilQuiet stops waiting when aborted', async () => {
  const idleClock = { now: () => 0, schedule: () => ({ cancel: () => undefined }) };
  await untilQuiet({ ready: false, idle: false }, { activity: 0 }, { clock: idleClock, signal: AbortSignal.abort() });
});
