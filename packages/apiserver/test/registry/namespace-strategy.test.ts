import { resources } from 'kube-endpoints/port';
import { expect, it } from 'vitest';
import { namespaceStrategy } from '../../src/registry/namespace-strategy.ts';
import { plainStrategy } from '../../src/registry/plain.ts';

it('lets a namespace go only where nothing is left in it', () => {
  const { mayGo } = namespaceStrategy(plainStrategy({ resource: resources.namespaces }));
  expect(mayGo?.({ metadata: {}, spec: { finalizers: ['kubernetes'] } })).toBe(false);
  expect(mayGo?.({ metadata: {}, spec: {} })).toBe(true);
});
