import { expect, test } from 'vitest';
import { createEventNames } from '../../src/events/recorder.ts';

const now = 1_767_323_045_678;

test('a name is that of the object and the time in nanoseconds, in hexadecimal digits', () => {
  const name = createEventNames(() => 0.25);
  expect(name('web', now)).toBe(`web.${1_767_323_045_678_250_000n.toString(16)}`);
});

test('names of the same moment differ, even where chance does not', () => {
  const name = createEventNames(() => 0);
  const names = Array.from({ length: 5 }, () => name('web', now));
  expect(new Set(names).size).toBe(5);
});

test('names of one moment differ, whatever is drawn', () => {
  const draws = [0.5, 0.1, 0.500001, 0.9, 0];
  const name = createEventNames(() => draws.shift() ?? 0);
  const names = Array.from({ length: 5 }, () => name('web', now));
  expect(new Set(names).size).toBe(5);
});

test.each([
  ['an upper case letter', 'Web'],
  ['a colon', 'a:b'],
  ['nothing in front', ''],
  ['no name at all', undefined],
  ['253 characters', 'a'.repeat(253)],
])('an object with %s leaves its Event a UUID', (_, objectName) => {
  let state = 1;
  const name = createEventNames(() => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  });
  const names = Array.from({ length: 50 }, () => name(objectName, now));
  expect(new Set(names).size).toBe(50);
  for (const each of names) expect(each).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test('the longest name that leaves room is kept', () => {
  const name = createEventNames(() => 0);
  expect(name('a'.repeat(236), now)).toHaveLength(253);
});
