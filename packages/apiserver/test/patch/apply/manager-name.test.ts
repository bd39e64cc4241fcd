import { expect, test } from 'vitest';
import { managerOf } from '../../../src/patch/apply/manager-name.ts';

test.each([
  ['mine', 'kubectl/v1', 'mine'],
  [undefined, 'kubectl/v1.36.3 (linux/amd64)', 'kubectl'],
  ['', 'curl', 'curl'],
  [undefined, 'a\tb\u200bc d', 'abc d'],
  [undefined, '', ''],
  [undefined, 'é'.repeat(100), 'é'.repeat(64)],
])('%j with user agent %j is %j', (manager, agent, expected) => {
  expect(managerOf(manager, agent)).toBe(expected);
});
