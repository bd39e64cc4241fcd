import { expect, test } from 'vitest';
import { createWebhookClock, type ManualClock } from '../../../../overrides/test/webhook/support.ts';
import { createKeyedMutex } from '../../../src/live/webhook/other-slices.ts';

function createTestMutex() {
  const clock: ManualClock = createWebhookClock();
  const mutex = createKeyedMutex(clock, 2000);
  const acquired: string[] = [];
  const acquire = (key: string, id: string): void => void mutex.acquire(key, id).then(() => acquired.push(id));
  return { clock, mutex, acquired, acquire };
}
const settle = (): Promise<void> => new Promise(setImmediate);

test('holders acquire a key in order, and keys are independent', async () => {
  const { clock, mutex, acquired, acquire } = createTestMutex();
  acquire('web', 'a');
  acquire('web', 'b');
  acquire('db', 'c');
  await settle();
  expect(acquired).toEqual(['a', 'c']);
  mutex.release('a');
  await settle();
  expect(acquired).toEqual(['a', 'c', 'b']);
  mutex.release('b');
  mutex.release('c');
  mutex.release('unknown');
  await settle();
  expect(clock.scheduled).toBe(0);
  acquire('web', 'd');
  await settle();
  expect(acquired.at(-1)).toBe('d');
});

test('the keyed mutex keeps its order if a waiting holder releases early', async () => {
  const { mutex, acquired, acquire } = createTestMutex();
  for (const id of ['a', 'b', 'c']) acquire('web', id);
  mutex.release('b');
  await settle();
  expect(acquired).toEqual(['a']);
  mutex.release('a');
  await settle();
  expect(acquired).toEqual(['a', 'b', 'c']);
});

test('a key is released after the timeout if its holder does not release it', async () => {
  const { clock, acquired, acquire } = createTestMutex();
  acquire('web', 'a');
  acquire('web', 'b');
  await settle();
  clock.advance(1999);
  await settle();
  expect(acquired).toEqual(['a']);
  clock.advance(1);
  await settle();
  expect(acquired).toEqual(['a', 'b']);
});
