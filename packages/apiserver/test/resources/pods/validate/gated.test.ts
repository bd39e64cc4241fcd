import { expect, test } from 'vitest';
import { gatedChanges } from '../../../../src/resources/pods/validate/gated.ts';
import { fieldsOf, found } from '../../support.ts';

const required = 'requiredDuringSchedulingIgnoredDuringExecution';
const term = { matchExpressions: [{ key: 'a', operator: 'Exists' }] };
const affinity = (...nodeSelectorTerms: object[]): object => ({ affinity: { nodeAffinity: { [required]: { nodeSelectorTerms } } } });
const check = (after: object, before: object): { fields: string[]; rest: object } => {
  let rest = {};
  const lines = found((causes) => {
    rest = gatedChanges(after as Record<string, unknown>, before as Record<string, unknown>, causes);
  });
  return { fields: fieldsOf(lines), rest };
};

test('a gated pod may add node selectors, but not remove them', () => {
  expect(check({ nodeSelector: { a: '1', b: '2' } }, { nodeSelector: { a: '1' } })).toEqual({
    fields: [],
    rest: { nodeSelector: { a: '1' } },
  });
  expect(check({ nodeSelector: { b: '2' } }, { nodeSelector: { a: '1' } }).fields).toEqual(['spec.nodeSelector']);
});

test('a gated pod may narrow each node selector term', () => {
  const before = affinity(term);
  const narrower = { matchExpressions: [...term.matchExpressions, { key: 'b', operator: 'Exists' }] };
  const field = `spec.affinity.nodeAffinity.${required}.nodeSelectorTerms`;
  expect(check(affinity(narrower), before)).toEqual({ fields: [], rest: before });
  expect(check(affinity(term, term), before).fields).toEqual([field]);
  expect(check({}, before).fields).toEqual([field]);
  expect(check(affinity({ matchExpressions: [{ key: 'b', operator: 'Exists' }] }), before).fields).toEqual([`${field}[0]`]);
  expect(check(affinity(term), {})).toEqual({ fields: [], rest: { affinity: undefined } });
});
