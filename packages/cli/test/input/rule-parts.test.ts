import { expect, test } from 'vitest';
import { text } from '../../src/input/checks.ts';
import { containers, listOf, metadata } from '../../src/input/rule-parts.ts';

test('listOf adds a rule for the list and one for its items', () => {
  expect(listOf('spec.names', text).map(({ path, check }) => [path, check.want])).toEqual([
    ['spec.names', 'a list'],
    ['spec.names[]', text.want],
  ]);
});

test('rule parts keep their path, with the rule of a parent before those of its fields', () => {
  const paths = containers('spec.containers').map(({ path }) => path);
  expect(paths.every((path) => path.startsWith('spec.containers'))).toBe(true);
  for (const path of paths) {
    const holder = path.replace(/(\[\]|\.\w+)$/, '');
    expect(holder === 'spec' || paths.indexOf(holder) < paths.indexOf(path)).toBe(true);
  }
  expect(metadata[0]).toMatchObject({ path: 'metadata', required: true });
});
