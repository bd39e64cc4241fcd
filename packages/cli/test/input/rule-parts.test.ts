import { expect, test } from 'vitest';
import { text } from '../../src/input/checks.ts';
import { containers, listOf, metadata } from '../../src/input/rule-parts.ts';

test('a list of values has a rule for itself and one for each of them', () => {
  expect(listOf('spec.names', text).map(({ path, check }) => [path, check.want])).toEqual([
    ['spec.names', 'a list'],
    ['spec.names[]', text.want],
  ]);
});

test('parts stand where they are put, rules for what holds a field before those for the field', () => {
  const paths = containers('spec.containers').map(({ path }) => path);
  expect(paths.every((path) => path.startsWith('spec.containers'))).toBe(true);
  for (const path of paths) {
    const holder = path.replace(/(\[\]|\.\w+)$/, '');
    expect(holder === 'spec' || paths.indexOf(holder) < paths.indexOf(path)).toBe(true);
  }
  expect(metadata[0]).toMatchObject({ path: 'metadata', required: true });
});
