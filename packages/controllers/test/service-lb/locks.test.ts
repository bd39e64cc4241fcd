import { expect, test } from 'vitest';
import { createLocks } from '../../src/service-lb/locks.ts';
import { settle } from '../queue/clock.ts';

test('one at a time for a key, in order; other keys do not wait; a failure holds nobody up', async () => {
  const locks = createLocks();
  const order: string[] = [];
  const gates = new Map<string, () => void>();
  const work = (name: string) => (): Promise<string> => {
    order.push(name);
    return new Promise((resolve) => gates.set(name, () => resolve(name)));
  };
  const first = locks.run('a', work('first'));
  const second = locks.run('a', () => {
    order.push('second');
    return Promise.reject(new Error('no'));
  });
  const third = locks.run('a', work('third'));
  const other = locks.run('b', work('other'));
  await settle();
  expect(order).toEqual(['first', 'other']);
  expect(locks.size).toBe(2);
  gates.get('first')?.();
  gates.get('other')?.();
  expect(await first).toBe('first');
  await expect(second).rejects.toThrow('no');
  await settle();
  expect(order).toEqual(['first', 'other', 'second', 'third']);
  gates.get('third')?.();
  await Promise.all([third, other]);
  expect(locks.size).toBe(0);
});
