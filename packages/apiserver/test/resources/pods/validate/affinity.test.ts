import { expect, test } from 'vitest';
import { validateAffinity } from '../../../../src/resources/pods/validate/affinity.ts';
import { fieldsOf, reportedCauses } from '../../support.ts';

const required = 'requiredDuringSchedulingIgnoredDuringExecution';
const preferred = 'preferredDuringSchedulingIgnoredDuringExecution';
const check = (affinity: object): string[] =>
  fieldsOf(reportedCauses((causes) => validateAffinity(affinity as Record<string, unknown>, causes)));

test.each([
  [{ key: 'a', operator: 'In', values: ['b'] }, []],
  [{ key: 'a', operator: 'NotIn' }, ['values']],
  [{ key: 'a', operator: 'Exists', values: ['b'] }, ['values']],
  [{ key: 'a', operator: 'Gt', values: ['1', '2'] }, ['values']],
  [{ key: 'a b', operator: 'Odd', values: ['c d'] }, ['operator', 'key', 'values[0]']],
])('node affinity checks the requirement %j', (requirement, fields) => {
  const nodeAffinity = { [required]: { nodeSelectorTerms: [{ matchExpressions: [requirement] }] } };
  const field = `spec.affinity.nodeAffinity.${required}.nodeSelectorTerms[0].matchExpressions[0]`;
  expect(check({ nodeAffinity })).toEqual(fields.map((name) => `${field}.${name}`));
});

test('node affinity checks matchFields and weight', () => {
  const matchFields = [
    { key: 'metadata.name', operator: 'In', values: ['a', 'B'] },
    { key: 'x', operator: 'Exists' },
  ];
  const nodeAffinity = { [required]: { nodeSelectorTerms: [] }, [preferred]: [{ weight: 101, preference: { matchFields } }] };
  const field = `spec.affinity.nodeAffinity.${preferred}[0]`;
  expect(check({ nodeAffinity })).toEqual([
    `spec.affinity.nodeAffinity.${required}.nodeSelectorTerms`,
    `${field}.weight`,
    `${field}.preference.matchFields[0].values`,
    `${field}.preference.matchFields[0].values[1]`,
    `${field}.preference.matchFields[1].operator`,
    `${field}.preference.matchFields[1].key`,
  ]);
});

test('pod affinity and anti-affinity check selector, namespaces and topologyKey', () => {
  const podAffinity = { [required]: [{ namespaces: ['B'], labelSelector: { matchLabels: { 'a b': '' } } }] };
  const podAntiAffinity = { [preferred]: [{ weight: 1, podAffinityTerm: { topologyKey: 'zone' } }] };
  const field = `spec.affinity.podAffinity.${required}[0]`;
  expect(check({ podAffinity, podAntiAffinity })).toEqual([
    `${field}.labelSelector.matchLabels`,
    `${field}.namespace`,
    `${field}.topologyKey`,
    `${field}.topologyKey`,
    `${field}.topologyKey`,
  ]);
});
