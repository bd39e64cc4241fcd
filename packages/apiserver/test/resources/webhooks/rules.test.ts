import { expect, test } from 'vitest';
import { validateRule } from '../../../src/resources/webhooks/rules.ts';
import { fieldsOf, found } from '../support.ts';

const rule = { operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] };
const check = (fields: object): string[] => fieldsOf(found((causes) => validateRule({ ...rule, ...fields }, 'r', causes)));

test('says what it is for', () => {
  expect(check({})).toEqual([]);
  expect(check({ operations: [], apiGroups: [], apiVersions: [], resources: [] })).toEqual(
    ['operations', 'apiGroups', 'apiVersions', 'resources'].map((name) => `r.${name}`),
  );
  expect(check({ operations: ['*', 'Odd'], apiGroups: ['*', 'a'], apiVersions: ['*', ''], scope: 'Odd' })).toEqual([
    'r.operations',
    'r.operations[1]',
    'r.apiGroups',
    'r.apiVersions',
    'r.apiVersions[1]',
    'r.scope',
  ]);
});

test.each([
  [['*', 'pods'], ['r.resources']],
  [['*', 'pods/status'], []],
  [['*/*', 'pods'], ['r.resources']],
  [['pods/*', 'pods/status'], ['r.resources[1]']],
  [['*/status', 'pods/status'], ['r.resources[1]']],
  [['', 'pods'], ['r.resources[0]']],
])('resources %j', (resources, fields) => expect(check({ resources })).toEqual(fields));
