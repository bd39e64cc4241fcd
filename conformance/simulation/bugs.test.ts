import { expect, test } from 'vitest';
import { readTextFile } from '../../test/support/repository.ts';
import { bugs } from './bugs.ts';
import { bugs as loadBalancerBugs } from './load-balancer/bugs.ts';

const replacementsByBug = [
  ...Object.entries(bugs).map(([name, { sources = [] }]) => [name, sources] as const),
  ...Object.entries(loadBalancerBugs),
];

test.each(replacementsByBug)('the text that the bug %s replaces occurs once in its source', (_, replacements) => {
  const counts = replacements.map(({ file, text }) => [file, readTextFile(file).split(text).length - 1]);
  expect(counts).toStrictEqual(replacements.map(({ file }) => [file, 1]));
});
