import { expect, test } from 'vitest';
import { validateGatedChanges } from '../../../../src/resources/pods/validate/gated.ts';
import { fieldsOf, reportedCauses } from '../../support.ts';

const required = 'requiredDuringSchedulingIgnoredDuringExecution';
const term = { matchExpressions: [{ key: 'a', operator: 'Exists' }] };
const affinity = (...nodeSelectorTerms: object[]): object => ({ affinity: { nodeAffinity: { [required]: { nodeSelectorTerms } } } });
const check = (after: object, before: object): { fields: string[]; reverted: object } => {
  let reverted = {};
  const lines = reportedCauses((causes) => {
    reverted = validateGatedChanges(after as Record<string, unknown>, before as Record<string, unknown>, causes);
  });
  return { fields: fieldsOf(lines), reverted };
};

test('a gated pod may add node selectors, but not remove them', () => {
  expect(check({ nodeSelector: { a: '1', b: '2' } }, { nodeSelector: { a: '1' } })).toEqual({
    fields: [],
    reverted: { nodeSelector: { a: '1' } },
  });
  expect(check({ nodeSelector: { b: '2' } }, { nodeSelector: { a: '1' } }).fields).toEqual(['spec.nodeSelector']);
});

test('a gated pod may narrow each node selector term', () => {
  const before = affinity(term);
  const narrower = { matchExpressions: [...term.matchExpressions, { key: 'b', operator: 'Exists' }] };
  const field = `spec.affinity.nodeAffinity.${required}.nodeSelectorTerms`;
  expect(check(affinity(narrower), before)).toEqual({ fields: [], reverted: before });
  expect(check(affinity(term, term), before).fields).toEqual([field]);
  expect(check({}, before).fields).toEqual([field]);
  expect(check(affinity({ matchExpressions: [{ key: 'b', operator: 'Exists' }] }), before).fields).toEqual([`${field}[0]`]);
  expect(check(affinity(term), {})).toEqual({ fields: [], reverted: { affinity: undefined } });
});
