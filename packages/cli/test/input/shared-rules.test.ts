import { expect, test } from 'vitest';
import { text } from '../../src/input/checks.ts';
import { containers, listOf, metadata } from '../../src/input/shared-rules.ts';

test('listOf adds a rule for the list and one for its items', () => {
  expect(listOf('spec.names', text).map(({ path, check }) => [path, check.expected])).toEqual([
    ['spec.names', 'a list'],
    ['spec.names[]', text.expected],
  ]);
});

test('containers puts the rule of a field before the rules of its subfields', () => {
  const paths = containers('spec.containers').map(({ path }) => path);
  expect(paths.every((path) => path.startsWith('spec.containers'))).toBe(true);
  for (const path of paths) {
    const parent = path.replace(/(\[\]|\.\w+)$/, '');
    expect(parent === 'spec' || paths.indexOf(parent) < paths.indexOf(path)).toBe(true);
  }
  expect(metadata[0]).toMatchObject({ path: 'metadata', required: true });
});
