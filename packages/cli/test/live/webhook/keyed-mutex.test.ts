import { expect, test } from 'vitest';
import { createWebhookClock, type ManualClock } from '../../../../overrides/test/webhook/support.ts';
import { createKeyedMutex } from '../../../src/live/webhook/other-slices.ts';

function world() {
  const clock: ManualClock = createWebhookClock();
  const turns = createKeyedMutex(clock, 2000);
  const log: string[] = [];
  const take = (key: string, id: string): void => void turns.acquire(key, id).then(() => log.push(id));
  return { clock, turns, log, take };
}
const settled = (): Promise<void> => new Promise(setImmediate);

test('turns of a key are taken in order, and keys are independent', async () => {
  const { clock, turns, log, take } = world();
  take('web', 'a');
  take('web', 'b');
  take('db', 'c');
  await settled();
  expect(log).toEqual(['a', 'c']);
  turns.end('a');
  await settled();
  expect(log).toEqual(['a', 'c', 'b']);
  turns.end('b');
  turns.end('c');
  turns.end('unknown');
  await settled();
  expect(clock.scheduled).toBe(0);
  take('web', 'd');
  await settled();
  expect(log.at(-1)).toBe('d');
});

test('the keyed mutex keeps its order if a waiting holder releases early', async () => {
  const { turns, log, take } = world();
  for (const id of ['a', 'b', 'c']) take('web', id);
  turns.end('b');
  await settled();
  expect(log).toEqual(['a']);
  turns.end('a');
  await settled();
  expect(log).toEqual(['a', 'b', 'c']);
});

test('a key that is not released is released after the timeout', async () => {
  const { clock, log, take } = world();
  take('web', 'a');
  take('web', 'b');
  await settled();
  clock.advance(1999);
  await settled();
  expect(log).toEqual(['a']);
  clock.advance(1);
  await settled();
  expect(log).toEqual(['a', 'b']);
});
