import { expect, it } from 'vitest';
import { namespaceStrategy } from '../../../src/apiserver/registry/namespace-strategy.ts';
import { plainStrategy } from '../../../src/apiserver/registry/plain.ts';
import { resources } from '../../../src/port/index.ts';

it('lets a namespace go only where nothing is left in it', () => {
  const { mayGo } = namespaceStrategy(plainStrategy({ resource: resources.namespaces }));
  expect(mayGo?.({ metadata: {}, spec: { finalizers: ['kubernetes'] } })).toBe(false);
  expect(mayGo?.({ metadata: {}, spec: {} })).toBe(true);
});
