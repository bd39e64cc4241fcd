import { expect, test } from 'vitest';
import { hasInvalidValue, validateLabelSelector } from '../../../src/resources/field/label-selector.ts';
import { fieldsOf, reportedCauses } from '../support.ts';

const requirement = (operator: string, ...values: string[]): object => ({ key: 'a', operator, values });

test('validateLabelSelector checks values by operator', () => {
  const selector = {
    matchLabels: { 'a b': 'c' },
    matchExpressions: [requirement('In'), requirement('Exists', 'x'), requirement('Odd'), requirement('NotIn', 'a b')],
  };
  expect(fieldsOf(reportedCauses((causes) => validateLabelSelector(selector, 's', causes)))).toEqual([
    's.matchLabels',
    's.matchExpressions[0].values',
    's.matchExpressions[1].values',
    's.matchExpressions[2].operator',
    's.matchExpressions[3].values[0]',
  ]);
});

test('validateLabelSelector can allow invalid values', () => {
  const selector = { matchExpressions: [requirement('In', 'a b')] };
  expect(hasInvalidValue(selector)).toBe(true);
  expect(reportedCauses((causes) => validateLabelSelector(selector, 's', causes, true))).toEqual([]);
});
