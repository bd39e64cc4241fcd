import { expect, it } from 'vitest';
import { createKeyedMutex } from '../../src/apimachinery/index.ts';

it('runs work for the same key sequentially, even after a failure, and work for different keys concurrently', async () => {
  const mutex = createKeyedMutex();
  const log: string[] = [];
  const pendingCalls: (() => void)[] = [];
  const work = (name: string) => async () => {
    log.push(`${name} begins`);
    await new Promise<void>((resolve) => void pendingCalls.push(resolve));
    log.push(`${name} ends`);
    if (name === 'bad') throw new Error(name);
    return name;
  };
  const settled = Promise.allSettled([mutex.run('k', work('bad')), mutex.run('k', work('second')), mutex.run('other', work('third'))]);
  await Promise.resolve();
  expect(log).toStrictEqual(['bad begins', 'third begins']);
  for (let i = 0; i < 3; i++) {
    while (pendingCalls.length === 0) await new Promise((resolve) => setImmediate(resolve));
    pendingCalls.shift()?.();
  }
  expect((await settled).map(({ status }) => status)).toStrictEqual(['rejected', 'fulfilled', 'fulfilled']);
  expect(log).toStrictEqual(['bad begins', 'third begins', 'bad ends', 'third ends', 'second begins', 'second ends']);
});
