import { expect, it } from 'vitest';
import { editDistance } from '../../src/apimachinery/index.ts';

it.each([
  ['web', 'web', 2, 0],
  ['web', 'wbe', 2, 2],
  ['web', 'webs', 2, 1],
  ['web', 'eb', 2, 1],
  ['web', 'wib', 2, 1],
  ['', 'ab', 2, 2],
  ['web', 'webapp', 2, 3],
  ['kitten', 'sitting', 9, 3],
  ['abc', 'xyz', 2, 3],
])('editDistance(%j, %j, %i) is %i', (a, b, max, expected) => {
  expect([editDistance(a, b, max), editDistance(b, a, max)]).toEqual([expected, expected]);
});
