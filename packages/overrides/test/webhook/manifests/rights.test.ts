import { expect, test } from 'vitest';
import { rights } from '../../../src/webhook/manifests/rights.ts';

test('the rights are what the program asks for, and no more', () => {
  const [role, binding] = rights({ name: 'hook', namespace: 'infra' });
  const rules = (role as unknown as { readonly rules: readonly Record<string, readonly string[]>[] }).rules;
  expect(rules.flatMap(({ resources = [], verbs = [] }) => resources.map((resource) => `${resource}: ${verbs.join(' ')}`))).toEqual([
    'services: get list watch patch',
    'pods: list watch',
    'endpoints: list watch patch',
    'endpointslices: list watch patch',
  ]);
  expect(binding).toMatchObject({ roleRef: { kind: 'ClusterRole', name: 'hook' }, subjects: [{ name: 'hook', namespace: 'infra' }] });
});
