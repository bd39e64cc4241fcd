import type { ApiObject } from 'kube-endpoints/port';
import { describe, expect, test } from 'vitest';
import { matchesNodeAffinity, matchesNodeSelectorTerms, type NodeConstraints, type NodeSelectorTerm } from '../../src/nodes/affinity.ts';
import { findUntoleratedTaint, type Taint, type Toleration, toleratesTaint } from '../../src/nodes/taints.ts';

const node: ApiObject = { metadata: { name: 'n1', labels: { zone: 'a', cores: '8', text: 'x' } } };

const expression = (key: string, operator: string, ...values: string[]): NodeSelectorTerm => ({
  matchExpressions: [{ key, operator, ...(values.length > 0 && { values }) }],
});
const field = (key: string, operator: string, ...values: string[]): NodeSelectorTerm => ({ matchFields: [{ key, operator, values }] });

describe('matchesNodeSelectorTerms', () => {
  test.each<[string, NodeSelectorTerm[], boolean]>([
    ['no term matches no node', [], false],
    ['an empty term matches no node', [{}], false],
    ['one of the terms is enough', [expression('zone', 'In', 'b'), expression('zone', 'In', 'a', 'c')], true],
    ['all expressions of a term must match', [{ ...expression('zone', 'Exists'), ...field('metadata.name', 'In', 'n2') }], false],
    ['NotIn matches a missing label', [expression('disk', 'NotIn', 'ssd')], true],
    ['DoesNotExist matches a missing label', [expression('disk', 'DoesNotExist')], true],
    ['Gt compares integers', [expression('cores', 'Gt', '7')], true],
    ['Lt compares integers', [expression('cores', 'Lt', '8')], false],
    ['Gt does not match a text', [expression('text', 'Gt', '1')], false],
    ['a bound that is no integer makes a term invalid', [expression('cores', 'Gt', '7x')], false],
    ['Gt with two bounds is invalid', [expression('cores', 'Gt', '7', '6')], false],
    ['In without values is invalid', [expression('zone', 'In')], false],
    ['Exists with a value is invalid', [expression('zone', 'Exists', 'a')], false],
    ['an unknown operator is invalid', [expression('zone', 'Equals', 'a')], false],
    ['an invalid value makes a term invalid', [expression('zone', 'NotIn', '-b')], false],
    ['an invalid key makes a term invalid', [expression('-', 'DoesNotExist')], false],
    ['a field selects the name', [field('metadata.name', 'In', 'n1')], true],
    ['a field excludes the name', [field('metadata.name', 'NotIn', 'n1')], false],
    ['a field takes one name only', [field('metadata.name', 'In', 'n1', 'n2')], false],
    ['a field has no other operators', [field('metadata.name', 'Exists')], false],
    ['any other field is empty', [field('metadata.uid', 'NotIn', 'n1')], true],
  ])('%s', (_, terms, expected) => expect(matchesNodeSelectorTerms(terms, node)).toBe(expected));
});

describe('matchesNodeAffinity', () => {
  const required = (nodeSelectorTerms: NodeSelectorTerm[]): NodeConstraints => ({
    affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } },
  });
  test.each<[string, NodeConstraints, boolean]>([
    ['a pod without constraints matches', {}, true],
    ['nodeSelector must match', { nodeSelector: { zone: 'b' } }, false],
    ['nodeSelector matches all labels', { nodeSelector: { zone: 'a', text: 'x' } }, true],
    ['both must match', { nodeSelector: { zone: 'a' }, ...required([expression('zone', 'In', 'b')]) }, false],
    ['a required affinity without terms matches nothing', required([]), false],
    ['a preferred affinity does not matter', { affinity: { nodeAffinity: {} } }, true],
  ])('%s', (_, spec, expected) => expect(matchesNodeAffinity({ spec }, node)).toBe(expected));
});

const taint: Taint = { key: 'k', value: 'v', effect: 'NoSchedule' };

describe('toleratesTaint', () => {
  test.each<[string, Toleration, boolean]>([
    ['Exists without a key tolerates everything', { operator: 'Exists' }, true],
    ['another key does not', { key: 'l', operator: 'Exists' }, false],
    ['the operator is Equal by default', { key: 'k', value: 'v' }, true],
    ['Equal compares values', { key: 'k', operator: 'Equal', value: 'w' }, false],
    ['Equal without a value needs an empty one', { key: 'k' }, false],
    ['another effect does not', { key: 'k', operator: 'Exists', effect: 'NoExecute' }, false],
    ['comparison operators are off by default', { key: 'k', operator: 'Gt', value: '1' }, false],
  ])('%s', (_, toleration, expected) => expect(toleratesTaint(toleration, taint)).toBe(expected));
});

describe('findUntoleratedTaint', () => {
  const other: Taint = { key: 'l', effect: 'NoExecute' };
  test('returns the first taint without a toleration', () =>
    expect(findUntoleratedTaint([taint, other], [{ key: 'k', operator: 'Exists' }])).toBe(other));
  test('ignores taints that the filter excludes', () =>
    expect(findUntoleratedTaint([taint, other], [], ({ effect }) => effect === 'PreferNoSchedule')).toBeUndefined());
});
