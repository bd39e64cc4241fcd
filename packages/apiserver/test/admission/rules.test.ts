import { resources } from 'kube-endpoints/port';
import { describe, expect, it } from 'vitest';
import { matchesInSomeForm, matchesRule, namespaceOf, type Rule, type Target, targetOf } from '../../src/admission/rules.ts';

const all: Rule = { operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*'], scope: '*' };
const target: Target = { operation: 'CREATE', resource: resources.pods, subresource: '', namespace: 'shop' };
const matches = (rule: Partial<Rule>, more: Partial<Target> = {}): boolean => matchesRule({ ...all, ...rule }, { ...target, ...more });

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
  ])('%s with the subresource "%s" matches: %s', (text, subresource, expected) => {
    expect(matches({ resources: [text] }, { subresource })).toBe(expected);
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
  ])('%s with the namespace "%s" matches: %s', (scope, namespace, expected) => {
    expect(matches({ scope }, { namespace })).toBe(expected);
  });

  it('treats Namespaces as cluster-scoped', () => {
    const of = { resource: resources.namespaces, namespace: 'shop' };
    expect(matches({ scope: 'Namespaced' }, of)).toBe(false);
    expect(matches({ scope: 'Cluster' }, of)).toBe(true);
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
])('the rule %j matches: %s', (rule, expected) => {
  expect(matches(rule)).toBe(expected);
});

it('matchesInSomeForm ignores group and version', () => {
  const other = { ...all, apiGroups: ['apps'], apiVersions: ['v9'], resources: ['pods'] };
  expect(matchesInSomeForm(other, target)).toBe(true);
  expect(matchesInSomeForm({ ...other, resources: ['nodes'] }, target)).toBe(false);
});

it('the namespace of a request is that of its object, or the name of a Namespace', () => {
  expect(namespaceOf({ resource: resources.pods, key: { namespace: 'shop', name: 'a' } })).toBe('shop');
  expect(namespaceOf({ resource: resources.nodes, key: { name: 'a' } })).toBe('');
  expect(namespaceOf({ resource: resources.namespaces, key: { name: 'a' } })).toBe('a');
  const { namespace, subresource } = targetOf({
    operation: 'CREATE',
    resource: resources.namespaces,
    key: { name: 'a' },
    dryRun: false,
    options: {},
  });
  expect({ namespace, subresource }).toEqual({ namespace: 'a', subresource: '' });
});
