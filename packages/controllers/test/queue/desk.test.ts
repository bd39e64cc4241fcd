import { expect, test } from 'vitest';
import { createDesk } from '../../src/queue/turns.ts';
import { settle } from './clock.ts';

test('what is there is handed out at once, and what comes to those who stand in line, in order', async () => {
  const keys = ['a'];
  const desk = createDesk(() => keys.shift());
  const got: (string | undefined)[] = [];
  for (let i = 0; i < 4; i++) void desk.take().then((key) => got.push(key));
  await settle();
  expect(got).toEqual(['a']);
  keys.push('b', 'c');
  desk.call();
  desk.call();
  expect(keys).toEqual(['b', 'c']);
  await settle();
  expect(got).toEqual(['a', 'b', 'c']);
  desk.close();
  await settle();
  expect(got).toEqual(['a', 'b', 'c', undefined]);
});

test('nobody gets in before those who stand in line', async () => {
  const keys: string[] = [];
  const desk = createDesk(() => keys.shift());
  const first = desk.take();
  keys.push('a');
  desk.call();
  const second = desk.take();
  keys.push('b');
  desk.call();
  expect(await Promise.all([first, second])).toEqual(['a', 'b']);
});

test('closed, it still hands out what is there', async () => {
  const keys = ['a', 'b'];
  const desk = createDesk(() => keys.shift());
  desk.close();
  expect([await desk.take(), await desk.take(), await desk.take()]).toEqual(['a', 'b', undefined]);
});
