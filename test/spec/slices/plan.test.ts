import { expect, it } from 'vitest';
import { referenceTo } from '../../../src/spec/slices/plan.ts';
import { makeSlice } from './objects.ts';

it('a reference names a slice, its UID and its version', () => {
  expect(referenceTo(makeSlice('s', []))).toEqual({
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name: 's', namespace: 'shop', uid: 'uid-s', resourceVersion: '5' },
  });
});

it.each([null, undefined, {}, { name: null, namespace: null, uid: null, resourceVersion: '' }])(
  'of %j it has no more than empty names',
  (metadata) => {
    expect(referenceTo({ metadata }).metadata).toEqual({ name: '', namespace: '' });
  },
);
