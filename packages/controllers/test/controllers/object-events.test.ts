import type { EndpointSliceInput, EndpointsInput } from 'kube-endpoints/types';
import { profileFor } from 'kube-endpoints/versions';
import { describe, expect, test } from 'vitest';
import {
  createSliceIndex,
  dueForEndpoints,
  isElectionLock,
  serviceOfSlice,
  servicesDueForSlice,
} from '../../src/controllers/object-events.ts';
import type { Origin } from '../../src/controllers/write-expectations.ts';

describe('dueForEndpoints', () => {
  const unlabelledEndpoints: EndpointsInput = { metadata: { namespace: 'shop', name: 'web' } };
  const managed: EndpointsInput = {
    metadata: { ...unlabelledEndpoints.metadata, labels: { 'endpoints.kubernetes.io/managed-by': 'endpoint-controller' } },
  };
  const endpointsWithTriggerTime: EndpointsInput = {
    metadata: { annotations: { 'endpoints.kubernetes.io/last-change-trigger-time': 'x' } },
  };
  const changeOf = (service: 'managed' | 'unmanaged' | 'missing', origin: Origin = 'other', version = '1.36') => ({
    service,
    origin,
    leftover: false,
    profile: profileFor(version),
  });

  test('requires a sync of a managed Service at once after a deletion, later after a write of another client, never after an own write', () => {
    expect(dueForEndpoints({ type: 'deleted', object: unlabelledEndpoints, missed: false }, changeOf('managed'))).toBe('now');
    expect(dueForEndpoints({ type: 'updated', object: unlabelledEndpoints, old: unlabelledEndpoints }, changeOf('managed'))).toBe('later');
    expect(
      dueForEndpoints({ type: 'updated', object: unlabelledEndpoints, old: unlabelledEndpoints }, changeOf('managed', 'own')),
    ).toBeUndefined();
    expect(
      dueForEndpoints({ type: 'updated', object: unlabelledEndpoints, old: unlabelledEndpoints }, changeOf('managed', 'superseded')),
    ).toBe('later');
    expect(dueForEndpoints({ type: 'added', object: unlabelledEndpoints, initial: false }, changeOf('managed'))).toBe('later');
  });

  test('requires no sync for Endpoints of other clients without a Service, or of an unmanaged Service', () => {
    expect(dueForEndpoints({ type: 'deleted', object: unlabelledEndpoints, missed: false }, changeOf('unmanaged'))).toBeUndefined();
    expect(dueForEndpoints({ type: 'added', object: unlabelledEndpoints, initial: false }, changeOf('missing'))).toBeUndefined();
    expect(dueForEndpoints({ type: 'deleted', object: managed, missed: false }, changeOf('missing'))).toBeUndefined();
  });

  test('requires a sync for Endpoints of the controller whose Service is missing', () => {
    const added = (object: EndpointsInput) => ({ type: 'added' as const, object, initial: false });
    expect(dueForEndpoints(added(managed), changeOf('missing'))).toBe('later');
    expect(dueForEndpoints(added(unlabelledEndpoints), changeOf('missing', 'own'))).toBe('later');
    expect(dueForEndpoints(added(unlabelledEndpoints), changeOf('missing', 'superseded'))).toBe('later');
    // In releases that do not label Endpoints, the trigger time identifies Endpoints of the controller.
    expect(dueForEndpoints(added(endpointsWithTriggerTime), changeOf('missing'))).toBeUndefined();
    expect(dueForEndpoints(added(endpointsWithTriggerTime), changeOf('missing', 'other', '1.32'))).toBe('later');
    expect(dueForEndpoints(added(unlabelledEndpoints), { ...changeOf('missing'), leftover: true })).toBe('later');
  });

  test('isElectionLock returns true for the leader annotation', () => {
    expect(isElectionLock({ metadata: { annotations: { 'control-plane.alpha.kubernetes.io/leader': '' } } })).toBe(true);
    expect(isElectionLock(unlabelledEndpoints)).toBe(false);
  });
});

describe('servicesDueForSlice', () => {
  const slice = (service: string | undefined, manager = 'endpointslice-controller.k8s.io'): EndpointSliceInput => ({
    metadata: {
      namespace: 'shop',
      name: 's',
      labels: {
        ...(service !== undefined && { 'kubernetes.io/service-name': service }),
        'endpointslice.kubernetes.io/managed-by': manager,
      },
    },
  });
  const updateSlice = (old: EndpointSliceInput, object: EndpointSliceInput, writer: 'own' | 'other' = 'other') =>
    servicesDueForSlice({ type: 'updated', old, object }, writer === 'own');

  test('serviceOfSlice returns the Service that the label names', () => {
    expect(serviceOfSlice(slice('web'))).toBe('shop/web');
    expect(serviceOfSlice(slice(undefined))).toBeUndefined();
    expect(serviceOfSlice(slice(''))).toBeUndefined();
  });

  test('returns the Service after a change by another client, but not after an own write', () => {
    expect(updateSlice(slice('web'), slice('web'))).toEqual(['shop/web']);
    expect(updateSlice(slice('web'), slice('web'), 'own')).toEqual([]);
    expect(servicesDueForSlice({ type: 'deleted', object: slice('web'), missed: false }, false)).toEqual(['shop/web']);
    expect(servicesDueForSlice({ type: 'deleted', object: slice('web'), missed: false }, true)).toEqual([]);
    expect(servicesDueForSlice({ type: 'added', object: slice('web'), initial: false }, false)).toEqual(['shop/web']);
  });

  test('returns both Services if the label changes, and the Service if the manager changes', () => {
    expect(updateSlice(slice('web'), slice('api'), 'own')).toEqual(['shop/api', 'shop/web']);
    expect(updateSlice(slice('web'), slice(undefined), 'own')).toEqual(['shop/web']);
    expect(updateSlice(slice('web'), slice('web', 'me'), 'own')).toEqual(['shop/web']);
    expect(updateSlice(slice('web', 'me'), slice('web', 'me'))).toEqual([]);
  });
});

const slice = (name: string, service: string | undefined, resourceVersion = '1'): EndpointSliceInput => ({
  metadata: { namespace: 'shop', name, resourceVersion, labels: service === undefined ? {} : { 'kubernetes.io/service-name': service } },
});

test('the slice index follows the service-name label', () => {
  const index = createSliceIndex();
  const [a, b] = [slice('a', 'web'), slice('b', 'web')];
  for (const object of [a, b, slice('c', undefined)]) index.handle({ type: 'added', object, initial: true });
  expect(index.slicesOf('shop/web')).toEqual([a, b]);
  const newer = slice('a', 'web', '2');
  index.handle({ type: 'updated', object: newer, old: a });
  expect(index.slicesOf('shop/web')).toEqual([newer, b]);
  const moved = slice('b', 'api', '3');
  index.handle({ type: 'updated', object: moved, old: b });
  expect([index.slicesOf('shop/web'), index.slicesOf('shop/api')]).toEqual([[newer], [moved]]);
  const orphan = slice('b', undefined, '4');
  index.handle({ type: 'updated', object: orphan, old: moved });
  index.handle({ type: 'deleted', object: newer, missed: true });
  expect([index.slicesOf('shop/web'), index.slicesOf('shop/api')]).toEqual([[], []]);
});
