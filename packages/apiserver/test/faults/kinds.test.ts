import { expect, it } from 'vitest';
import { allVerbs, kinds } from '../../src/faults/kinds.ts';
import { everyVerb } from '../../src/registry/catalog.ts';

it('knows the verbs that the catalog does', () => {
  expect([...allVerbs].sort()).toEqual([...everyVerb].sort());
});

it('lets a fault usually happen only to what it can happen to, and requires only what it has', () => {
  for (const { verbs, usual = [], fields, required = [] } of Object.values(kinds)) {
    expect(verbs).toEqual(expect.arrayContaining([...usual]));
    expect(Object.keys(fields)).toEqual(expect.arrayContaining([...required]));
  }
});

it('faults of one sort exclude each other where a call can come to one end only', () => {
  const answers = Object.entries(kinds).filter(([, { sort }]) => sort === 'answer');
  expect(answers.map(([name]) => name)).toEqual([
    'expired',
    'conflict',
    'tooManyRequests',
    'internalError',
    'unavailable',
    'timeout',
    'crash',
  ]);
});
