import { resources } from 'kube-endpoints/port';
import { describe, expect, it } from 'vitest';
import {
  attributesOf,
  matchesAnyGroupVersion,
  matchesRule,
  namespaceOf,
  type RequestAttributes,
  type Rule,
} from '../../src/admission/rules.ts';

const matchAll: Rule = { operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*'], scope: '*' };
const podCreation: RequestAttributes = { operation: 'CREATE', resource: resources.pods, subresource: '', namespace: 'shop' };
const matches = (rule: Partial<Rule>, attributes: Partial<RequestAttributes> = {}): boolean =>
  matchesRule({ ...matchAll, ...rule }, { ...podCreation, ...attributes });

describe('resources of a rule', () => {
  it.each([
    ['*', '', true],
    ['*', 'status', false],
    ['pods', '', true],
    ['pods', 'status', false],
    ['nodes', '', false],
    ['pods/*', '', true],
    ['pods/*', 'status', true],
    ['nodes/*', 'status', false],
    ['*/status', '', false],
    ['*/status', 'status', true],
    ['*/scale', 'status', false],
    ['pods/status', 'status', true],
    ['*/*', '', true],
    ['*/*', 'status', true],
  ])('matchesRule for resource %s and a request for pods with subresource "%s" is %s', (pattern, subresource, expected) => {
    expect(matches({ resources: [pattern] }, { subresource })).toBe(expected);
  });
});

describe('scope of a rule', () => {
  it.each([
    ['*', 'shop', true],
    ['*', '', true],
    ['Namespaced', 'shop', true],
    ['Namespaced', '', false],
    ['Cluster', 'shop', false],
    ['Cluster', '', true],
    ['Nonsense', 'shop', false],
  ])('matchesRule for scope %s and a request in namespace "%s" is %s', (scope, namespace, expected) => {
    expect(matches({ scope }, { namespace })).toBe(expected);
  });

  it('a write of a Namespace matches only scope Cluster', () => {
    const attributes = { resource: resources.namespaces, namespace: 'shop' };
    expect(matches({ scope: 'Namespaced' }, attributes)).toBe(false);
    expect(matches({ scope: 'Cluster' }, attributes)).toBe(true);
  });
});

it.each([
  [{ operations: ['CREATE'] }, true],
  [{ operations: ['UPDATE', 'DELETE'] }, false],
  [{ operations: [] }, false],
  [{ apiGroups: [''] }, true],
  [{ apiGroups: ['apps'] }, false],
  [{ apiVersions: ['v2', 'v1'] }, true],
  [{ apiVersions: ['v2'] }, false],
])('matchesRule for the rule %j and the creation of a Pod is %s', (rule, expected) => {
  expect(matches(rule)).toBe(expected);
});

it('matchesAnyGroupVersion ignores group and version', () => {
  const ruleForOtherGroup = { ...matchAll, apiGroups: ['apps'], apiVersions: ['v9'], resources: ['pods'] };
  expect(matchesAnyGroupVersion(ruleForOtherGroup, podCreation)).toBe(true);
  expect(matchesAnyGroupVersion({ ...ruleForOtherGroup, resources: ['nodes'] }, podCreation)).toBe(false);
});

it('namespaceOf and attributesOf return the namespace of the object, the name of a Namespace, or an empty string', () => {
  expect(namespaceOf({ resource: resources.pods, key: { namespace: 'shop', name: 'a' } })).toBe('shop');
  expect(namespaceOf({ resource: resources.nodes, key: { name: 'a' } })).toBe('');
  expect(namespaceOf({ resource: resources.namespaces, key: { name: 'a' } })).toBe('a');
  const { namespace, subresource } = attributesOf({
    operation: 'CREATE',
    resource: resources.namespaces,
    key: { name: 'a' },
    dryRun: false,
    options: {},
  });
  expect({ namespace, subresource }).toEqual({ namespace: 'a', subresource: '' });
});
