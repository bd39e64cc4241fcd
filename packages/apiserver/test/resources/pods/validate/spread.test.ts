import { expect, test } from 'vitest';
import { validateLabelKeys, validateSpread } from '../../../../src/resources/pods/validate/spread.ts';
import { fieldsOf, reportedCauses } from '../../support.ts';

const constraint = { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'ScheduleAnyway' };

test('validateSpread rejects duplicate, incomplete and invalid topology spread constraints', () => {
  expect(reportedCauses((causes) => validateSpread([constraint], causes))).toEqual([]);
  const field = 'spec.topologySpreadConstraints';
  expect(
    fieldsOf(
      reportedCauses((causes) => validateSpread([{}, constraint, { ...constraint, minDomains: 0, nodeTaintsPolicy: 'Odd' }], causes)),
    ),
  ).toEqual([
    `${field}[0].maxSkew`,
    `${field}[0].topologyKey`,
    `${field}[0].whenUnsatisfiable`,
    // Upstream's field ends in {topologyKey, whenUnsatisfiable}; fieldsOf cuts it at the space.
    `${field}[1].{topologyKey,`,
    `${field}[2].minDomains`,
    `${field}[2].minDomains`,
    `${field}[2].nodeTaintsPolicy`,
  ]);
});

test('validateLabelKeys requires a label selector that does not contain the keys', () => {
  const check = (term: object): string[] =>
    fieldsOf(reportedCauses((causes) => validateLabelKeys(term as Record<string, unknown>, 't', causes)));
  expect(check({ matchLabelKeys: ['a'] })).toEqual(['t.matchLabelKeys']);
  expect(check({ matchLabelKeys: ['a', 'b c'], mismatchLabelKeys: ['a'], labelSelector: {} })).toEqual([
    't.matchLabelKeys[1]',
    't.matchLabelKeys[0]',
  ]);
  const matchExpressions = [{ key: 'a' }, { key: 'a' }];
  expect(check({ matchLabelKeys: ['a'], labelSelector: { matchExpressions } })).toEqual(['t[0]']);
});
