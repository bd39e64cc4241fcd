import type { EndpointSliceInput, EndpointsInput } from 'kube-endpoints/types';
import { profileFor } from 'kube-endpoints/versions';
import { describe, expect, test } from 'vitest';
import {
  createSliceIndex,
  decideEndpointsSync,
  findServicesToSync,
  isElectionLock,
  isManaged,
  serviceKeyOfSlice,
} from '../../src/controllers/object-events.ts';
import type { Origin } from '../../src/controllers/write-expectations.ts';

describe('decideEndpointsSync', () => {
  const unlabelledEndpoints: EndpointsInput = { metadata: { namespace: 'shop', name: 'web' } };
  const labelledEndpoints: EndpointsInput = {
    metadata: { ...unlabelledEndpoints.metadata, labels: { 'endpoints.kubernetes.io/managed-by': 'endpoint-controller' } },
  };
  const endpointsWithTriggerTime: EndpointsInput = {
    metadata: { annotations: { 'endpoints.kubernetes.io/last-change-trigger-time': 'x' } },
  };
  const changeOf = (service: 'managed' | 'unmanaged' | 'missing', origin: Origin = 'other', version = '1.36') => ({
    serviceState: service,
    origin,
    isLeftover: false,
    profile: profileFor(version),
  });

  test('requires a sync of a managed Service at once after a deletion, later after a write of another client, never after an own write', () => {
    expect(decideEndpointsSync({ type: 'deleted', object: unlabelledEndpoints, missed: false }, changeOf('managed'))).toBe('now');
    expect(decideEndpointsSync({ type: 'updated', object: unlabelledEndpoints, old: unlabelledEndpoints }, changeOf('managed'))).toBe(
      'later',
    );
    expect(
      decideEndpointsSync({ type: 'updated', object: unlabelledEndpoints, old: unlabelledEndpoints }, changeOf('managed', 'own')),
    ).toBeUndefined();
    expect(
      decideEndpointsSync({ type: 'updated', object: unlabelledEndpoints, old: unlabelledEndpoints }, changeOf('managed', 'superseded')),
    ).toBe('later');
    expect(decideEndpointsSync({ type: 'added', object: unlabelledEndpoints, initial: false }, changeOf('managed'))).toBe('later');
  });

  test.each(['1.9', '1.18.20', '1.19.0'])('requires a sync after a deletion of Endpoints only from 1.19 on: %s', (version) => {
    const deletion = { type: 'deleted', object: unlabelledEndpoints, missed: false } as const;
    expect(decideEndpointsSync(deletion, changeOf('managed', 'other', version))).toBe(version === '1.19.0' ? 'now' : undefined);
  });

  test('requires no sync for Endpoints of other clients without a Service, or of an unmanaged Service', () => {
    expect(decideEndpointsSync({ type: 'deleted', object: unlabelledEndpoints, missed: false }, changeOf('unmanaged'))).toBeUndefined();
    expect(decideEndpointsSync({ type: 'added', object: unlabelledEndpoints, initial: false }, changeOf('missing'))).toBeUndefined();
    expect(decideEndpointsSync({ type: 'deleted', object: labelledEndpoints, missed: false }, changeOf('missing'))).toBeUndefined();
  });

  test('requires a sync for Endpoints of the controller whose Service is missing', () => {
    const createAddedEvent = (object: EndpointsInput) => ({ type: 'added' as const, object, initial: false });
    expect(decideEndpointsSync(createAddedEvent(labelledEndpoints), changeOf('missing'))).toBe('later');
    expect(decideEndpointsSync(createAddedEvent(unlabelledEndpoints), changeOf('missing', 'own'))).toBe('later');
    expect(decideEndpointsSync(createAddedEvent(unlabelledEndpoints), changeOf('missing', 'superseded'))).toBe('later');
    // In releases that do not label Endpoints, the trigger time identifies Endpoints of the controller.
    expect(decideEndpointsSync(createAddedEvent(endpointsWithTriggerTime), changeOf('missing'))).toBeUndefined();
    expect(decideEndpointsSync(createAddedEvent(endpointsWithTriggerTime), changeOf('missing', 'other', '1.32'))).toBe('later');
    expect(decideEndpointsSync(createAddedEvent(unlabelledEndpoints), { ...changeOf('missing'), isLeftover: true })).toBe('later');
  });
});

test('isElectionLock returns true for the leader annotation', () => {
  expect(isElectionLock({ metadata: { annotations: { 'control-plane.alpha.kubernetes.io/leader': '' } } })).toBe(true);
  expect(isElectionLock({ metadata: {} })).toBe(false);
});

describe('slice events', () => {
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
    findServicesToSync({ type: 'updated', old, object }, writer === 'other', isManaged);

  test('serviceKeyOfSlice returns the key of the Service that the label names', () => {
    expect(serviceKeyOfSlice(slice('web'))).toBe('shop/web');
    expect(serviceKeyOfSlice(slice(undefined))).toBeUndefined();
    expect(serviceKeyOfSlice(slice(''))).toBeUndefined();
  });

  test('findServicesToSync returns the Service after a change by another client, but not after an own write', () => {
    expect(updateSlice(slice('web'), slice('web'))).toEqual(['shop/web']);
    expect(updateSlice(slice('web'), slice('web'), 'own')).toEqual([]);
    expect(findServicesToSync({ type: 'deleted', object: slice('web'), missed: false }, true, isManaged)).toEqual(['shop/web']);
    expect(findServicesToSync({ type: 'deleted', object: slice('web'), missed: false }, false, isManaged)).toEqual([]);
    expect(findServicesToSync({ type: 'added', object: slice('web'), initial: false }, true, isManaged)).toEqual(['shop/web']);
  });

  test('findServicesToSync returns both Services if the label changes, and the Service if the manager changes', () => {
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
