import { expect, test } from 'vitest';
import { createRounds, type Rounds } from '../../src/service-lb/node-sync.ts';
import { createClock, type ManualClock, settle } from '../queue/clock.ts';

interface Bench {
  readonly clock: ManualClock;
  readonly rounds: Rounds;
  /** "begun after N ms" and what else happens. */
  readonly log: string[];
  end(): void;
}

function bench(): Bench {
  const clock = createClock();
  const log: string[] = [];
  let finish = (): void => undefined;
  const rounds = createRounds({
    clock,
    onDue: () => void log.push('due'),
    work(waited) {
      log.push(`begun after ${waited} at ${clock.elapsed()}`);
      return new Promise((resolve) => {
        finish = resolve;
      });
    },
    defect: (error) => void log.push(String(error)),
  });
  return { clock, rounds, log, end: () => finish() };
}

test('what becomes due together is one round, and what becomes due in a round another one after it', async () => {
  const { clock, rounds, log, end } = bench();
  rounds.due(1000);
  rounds.due(0);
  expect(rounds.backlog).toEqual({ waiting: 1, processing: 0, delayed: 0 });
  await clock.pass(1500);
  rounds.due(1000);
  expect(rounds.backlog).toEqual({ waiting: 1, processing: 1, delayed: 0 });
  await clock.pass(5000);
  expect(log).toEqual(['due', 'begun after 1000 at 1000', 'due']);
  end();
  await settle();
  expect(log.at(-1)).toBe('begun after 5000 at 6500');
  end();
  await settle();
  expect(rounds.idle).toBe(true);
});

test('one that is still to come when a round ends comes in its time', async () => {
  const { clock, rounds, log, end } = bench();
  rounds.due(0);
  await clock.pass(0);
  rounds.due(1000);
  end();
  await clock.pass(999);
  expect(log).toEqual(['due', 'begun after 0 at 0', 'due']);
  await clock.pass(1);
  expect(log.at(-1)).toBe('begun after 1000 at 1000');
});

test('the end waits for the round under way, and begins no other', async () => {
  const { clock, rounds, log, end } = bench();
  rounds.due(0);
  await clock.pass(0);
  rounds.due(0);
  let over = false;
  const stopped = rounds.stop().then(() => {
    over = true;
  });
  await clock.pass(5000);
  expect(over).toBe(false);
  end();
  await stopped;
  rounds.due(0);
  await clock.pass(5000);
  expect(log).toEqual(['due', 'begun after 0 at 0', 'due']);
});

test('what a round throws is told, and the next one comes all the same', async () => {
  const clock = createClock();
  const defects: unknown[] = [];
  const rounds = createRounds({
    clock,
    onDue: () => undefined,
    work: () => Promise.reject(new Error('no')),
    defect: (error) => void defects.push(error),
  });
  for (const _ of [1, 2]) {
    rounds.due(0);
    await clock.pass(0);
  }
  expect(defects).toEqual([new Error('no'), new Error('no')]);
});
