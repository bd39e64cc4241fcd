import { expect, test } from 'vitest';
import { text } from '../../src/input/checks.ts';
import { containerRules, listRules, metadataRules } from '../../src/input/shared-rules.ts';

test('listRules creates a rule for the list and one for its items', () => {
  expect(listRules('spec.names', text).map(({ path, check }) => [path, check.expected])).toEqual([
    ['spec.names', 'a list'],
    ['spec.names[]', text.expected],
  ]);
});

test('containerRules puts the rule of a field before the rules of its subfields', () => {
  const paths = containerRules('spec.containers').map(({ path }) => path);
  expect(paths.every((path) => path.startsWith('spec.containers'))).toBe(true);
  for (const path of paths) {
    const parent = path.replace(/(\[\]|\.\w+)$/, '');
    expect(parent === 'spec' || paths.indexOf(parent) < paths.indexOf(path)).toBe(true);
  }
  expect(metadataRules[0]).toMatchObject({ path: 'metadata', required: true });
});
