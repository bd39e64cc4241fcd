import { describe, expect, test } from 'vitest';
import { validateRule, validateWebhooks } from '../../../src/resources/webhooks/validate.ts';
import { fieldsOf, reportedCauses } from '../support.ts';

const hook = { name: 'a.b.c', clientConfig: { url: 'https://a' }, sideEffects: 'None', admissionReviewVersions: ['v1'] };
const configuration = (...webhooks: object[]): Record<string, unknown> => ({ metadata: { name: 'a' }, webhooks });
const check = (webhooks: readonly object[], old?: readonly object[]): string[] =>
  fieldsOf(reportedCauses((causes) => validateWebhooks(configuration(...webhooks), old && configuration(...old), causes)));

test('validateWebhooks checks every field', () => {
  expect(check([hook])).toEqual([]);
  const invalidHook = {
    ...hook,
    name: 'a',
    sideEffects: undefined,
    failurePolicy: 'Odd',
    timeoutSeconds: 0,
    admissionReviewVersions: ['v2', 'v2'],
  };
  expect(check([invalidHook])).toEqual([
    'webhooks[0].name',
    'webhooks[0].failurePolicy',
    'webhooks[0].sideEffects',
    'webhooks[0].timeoutSeconds',
    'webhooks[0].admissionReviewVersions[1]',
    'webhooks[0].admissionReviewVersions',
  ]);
});

test.each([
  [{ sideEffects: 'Some' }, 'webhooks[0].sideEffects'],
  [{ admissionReviewVersions: ['v9'] }, 'webhooks[0].admissionReviewVersions'],
  [
    { objectSelector: { matchExpressions: [{ key: 'a', operator: 'In', values: ['b c'] }] } },
    'webhooks[0].objectSelector.matchExpressions[0].values[0]',
  ],
])('an update may keep the existing error of %j', (fields, field) => {
  const invalidHook = { ...hook, ...fields };
  expect(check([invalidHook])).toEqual([field]);
  expect(check([invalidHook], [hook])).toEqual([field]);
  expect(check([invalidHook], [invalidHook])).toEqual([]);
});

test('names of webhooks and match conditions are unique', () => {
  expect(check([hook, hook])).toEqual(['webhooks[1].name']);
  expect(check([hook, hook], [hook, hook])).toEqual([]);
  const condition = { name: 'a', expression: 'true' };
  expect(check([{ ...hook, matchConditions: [condition, condition, {}] }])).toEqual(
    ['[1].name', '[2].expression', '[2].name'].map((field) => `webhooks[0].matchConditions${field}`),
  );
});

describe('validateRule', () => {
  const rule = { operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] };
  const check = (fields: object): string[] => fieldsOf(reportedCauses((causes) => validateRule({ ...rule, ...fields }, 'r', causes)));

  test('checks operations, groups, versions and scope', () => {
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
  ])('checks resources %j', (resources, fields) => expect(check({ resources })).toEqual(fields));
});
