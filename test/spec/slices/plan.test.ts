import { expect, it } from 'vitest';
import { referenceTo } from '../../../src/spec/slices/plan.ts';
import { profileFor } from '../../../src/versions/index.ts';
import { makeSlice } from './objects.ts';

it('referenceTo contains the name, UID and resourceVersion of a slice', () => {
  expect(referenceTo(makeSlice('s', []), profileFor())).toEqual({
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name: 's', namespace: 'shop', uid: 'uid-s', resourceVersion: '5' },
  });
});

it.each([null, undefined, {}, { name: null, namespace: null, uid: null, resourceVersion: '' }])(
  'referenceTo with metadata %j contains empty names only',
  (metadata) => {
    expect(referenceTo({ metadata }, profileFor()).metadata).toEqual({ name: '', namespace: '' });
  },
);
