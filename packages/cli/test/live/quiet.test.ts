import { expect, test } from 'vitest';
import { untilQuiet } from '../../src/live/progress.ts';

/** Returns the number of rounds after which the host is quiet. */
async function roundsUntilQuiet(at: (round: number) => { ready?: boolean; idle?: boolean; activity?: number }): Promise<number> {
  let round = 0;
  const clock = {
    now: () => 0,
    schedule(call: () => void) {
      round += 1;
      queueMicrotask(call);
      return { cancel: () => undefined };
    },
  };
  const now = () => ({ ready: true, idle: true, activity: 0, ...at(round) });
  const host = {
    get ready() {
      return now().ready;
    },
    get idle() {
      return now().idle;
    },
  };
  const progress = {
    get activity() {
      return now().activity;
    },
  };
  await untilQuiet(host, progress, { clock, signal: new AbortController().signal });
  return round;
}

test('untilQuiet waits for five consecutive idle rounds without activity after the first check', async () => {
  expect(await roundsUntilQuiet(() => ({}))).toBe(6);
  expect(await roundsUntilQuiet((round) => ({ ready: round > 10 }))).toBe(15);
  expect(await roundsUntilQuiet((round) => ({ idle: round > 10 }))).toBe(15);
  expect(await roundsUntilQuiet((round) => ({ activity: Math.min(round, 10) }))).toBe(15);
  expect(await roundsUntilQuiet((round) => ({ idle: round !== 4 }))).toBe(9);
});

test('untilQuiet stops waiting when aborted', async () => {
  const never = { now: () => 0, schedule: () => ({ cancel: () => undefined }) };
  await untilQuiet({ ready: false, idle: false }, { activity: 0 }, { clock: never, signal: AbortSignal.abort() });
});
