import { expect, it } from 'vitest';
import { createTurns } from '../../../src/clouds/tcp/turns.ts';

it('goes one at a time for a key, whatever becomes of the one before, and keys do not wait for each other', async () => {
  const turns = createTurns();
  const log: string[] = [];
  const ends: (() => void)[] = [];
  const work = (name: string) => async () => {
    log.push(`${name} begins`);
    await new Promise<void>((resolve) => void ends.push(resolve));
    log.push(`${name} ends`);
    if (name === 'bad') throw new Error(name);
    return name;
  };
  const taken = [turns.take('k', work('bad')), turns.take('k', work('second')), turns.take('other', work('third'))];
  const settled = Promise.allSettled(taken);
  await Promise.resolve();
  expect(log).toEqual(['bad begins', 'third begins']);
  for (let i = 0; i < 3; i++) {
    while (ends.length === 0) await new Promise((resolve) => setImmediate(resolve));
    ends.shift()?.();
  }
  expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
  expect(log).toEqual(['bad begins', 'third begins', 'bad ends', 'third ends', 'second begins', 'second ends']);
});
