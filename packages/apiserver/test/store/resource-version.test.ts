import { expect, test } from 'vitest';
import { createStore } from '../../src/store/index.ts';
import { parseResourceVersion, toCanonicalVersion } from '../../src/store/resource-version.ts';
import { createClock, isSettled, pod, pods, statusOfRejection } from './support.ts';

test.each([
  [undefined, 0],
  ['', 0],
  ['0', 0],
  ['7', 7],
  ['007', 7],
  ['9007199254740991', 9007199254740991],
])('parseResourceVersion reads %j as %d', (text, value) => expect(parseResourceVersion(text)).toEqual({ value }));

test.each([
  ['abc', 'invalid syntax'],
  ['-1', 'invalid syntax'],
  ['1.5', 'invalid syntax'],
  [' 1', 'invalid syntax'],
  ['18446744073709551616', 'value out of range'],
])('parseResourceVersion refuses %j', (text, explanation) =>
  expect(parseResourceVersion(text)).toEqual({
    problem: `resourceVersion: Invalid value: "${text}": strconv.ParseUint: parsing "${text}": ${explanation}`,
  }),
);

test('toCanonicalVersion drops leading zeros and keeps large numbers exact', () => {
  expect(toCanonicalVersion('0018446744073709551615')).toBe('18446744073709551615');
});

test('waitUntilFresh resolves at once for a known, absent or invalid version', async () => {
  const store = createStore({ revision: 5 });
  for (const version of [undefined, '', '0', '5', 'nonsense']) await store.waitUntilFresh(version);
});

test('waitUntilFresh waits for the version and leaves no timer', async () => {
  const clock = createClock();
  const store = createStore({ clock });
  const fresh = store.waitUntilFresh('3');
  store.create(pods, { name: 'a' }, pod('a'));
  expect(await isSettled(fresh)).toBe(false);
  store.create(pods, { name: 'b' }, pod('b'));
  await fresh;
  expect(clock.scheduled).toBe(0);
});

test('waitUntilFresh fails after three seconds', async () => {
  const clock = createClock();
  const store = createStore({ clock });
  const status = statusOfRejection(store.waitUntilFresh('0099'));
  clock.advance(2999);
  expect(await isSettled(status)).toBe(false);
  clock.advance(1);
  expect(await status).toMatchObject({ code: 504, message: 'Timeout: Too large resource version: 99, current: 1' });
});

test('waitUntilFresh rejects when its signal aborts', async () => {
  const clock = createClock();
  const store = createStore({ clock });
  const controller = new AbortController();
  const fresh = store.waitUntilFresh('9', controller.signal);
  controller.abort(new Error('enough'));
  await expect(fresh).rejects.toThrow('enough');
  await expect(store.waitUntilFresh('1', controller.signal)).rejects.toThrow('enough');
  expect(clock.scheduled).toBe(0);
});
