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

describe('Endpoints', () => {
  const plain: EndpointsInput = { metadata: { namespace: 'shop', name: 'web' } };
  const managed: EndpointsInput = {
    metadata: { ...plain.metadata, labels: { 'endpoints.kubernetes.io/managed-by': 'endpoint-controller' } },
  };
  const triggered: EndpointsInput = { metadata: { annotations: { 'endpoints.kubernetes.io/last-change-trigger-time': 'x' } } };
  const at = (service: 'managed' | 'unmanaged' | 'missing', origin: Origin = 'other', version = '1.36') => ({
    service,
    origin,
    leftover: false,
    profile: profileFor(version),
  });

  test('of a managed Service are due at once if deleted, later if another client wrote them, never after own writes', () => {
    expect(dueForEndpoints({ type: 'deleted', object: plain, missed: false }, at('managed'))).toBe('now');
    expect(dueForEndpoints({ type: 'updated', object: plain, old: plain }, at('managed'))).toBe('later');
    expect(dueForEndpoints({ type: 'updated', object: plain, old: plain }, at('managed', 'own'))).toBeUndefined();
    expect(dueForEndpoints({ type: 'updated', object: plain, old: plain }, at('managed', 'superseded'))).toBe('later');
    expect(dueForEndpoints({ type: 'added', object: plain, initial: false }, at('managed'))).toBe('later');
  });

  test('without a Service, or of an unmanaged one, belong to others', () => {
    expect(dueForEndpoints({ type: 'deleted', object: plain, missed: false }, at('unmanaged'))).toBeUndefined();
    expect(dueForEndpoints({ type: 'added', object: plain, initial: false }, at('missing'))).toBeUndefined();
    expect(dueForEndpoints({ type: 'deleted', object: managed, missed: false }, at('missing'))).toBeUndefined();
  });

  test('of a controller without a Service are due as leftovers', () => {
    const added = (object: EndpointsInput) => ({ type: 'added' as const, object, initial: false });
    expect(dueForEndpoints(added(managed), at('missing'))).toBe('later');
    expect(dueForEndpoints(added(plain), at('missing', 'own'))).toBe('later');
    expect(dueForEndpoints(added(plain), at('missing', 'superseded'))).toBe('later');
    expect(dueForEndpoints(added(triggered), at('missing'))).toBeUndefined();
    expect(dueForEndpoints(added(triggered), at('missing', 'other', '1.32'))).toBe('later');
    expect(dueForEndpoints(added(plain), { ...at('missing'), leftover: true })).toBe('later');
  });

  test('with the leader annotation are election locks', () => {
    expect(isElectionLock({ metadata: { annotations: { 'control-plane.alpha.kubernetes.io/leader': '' } } })).toBe(true);
    expect(isElectionLock(plain)).toBe(false);
  });
});

describe('slices', () => {
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
  const update = (old: EndpointSliceInput, object: EndpointSliceInput, own = false) =>
    servicesDueForSlice({ type: 'updated', old, object }, own);

  test('belong to the Service that their label names', () => {
    expect(serviceOfSlice(slice('web'))).toBe('shop/web');
    expect(serviceOfSlice(slice(undefined))).toBeUndefined();
    expect(serviceOfSlice(slice(''))).toBeUndefined();
  });

  test('are due if changed by others and not after own writes', () => {
    expect(update(slice('web'), slice('web'))).toEqual(['shop/web']);
    expect(update(slice('web'), slice('web'), true)).toEqual([]);
    expect(servicesDueForSlice({ type: 'deleted', object: slice('web'), missed: false }, false)).toEqual(['shop/web']);
    expect(servicesDueForSlice({ type: 'deleted', object: slice('web'), missed: false }, true)).toEqual([]);
    expect(servicesDueForSlice({ type: 'added', object: slice('web'), initial: false }, false)).toEqual(['shop/web']);
  });

  test('make both Services due if moved, and their own if the manager changes', () => {
    expect(update(slice('web'), slice('api'), true)).toEqual(['shop/api', 'shop/web']);
    expect(update(slice('web'), slice(undefined), true)).toEqual(['shop/web']);
    expect(update(slice('web'), slice('web', 'me'), true)).toEqual(['shop/web']);
    expect(update(slice('web', 'me'), slice('web', 'me'))).toEqual([]);
  });
});

const slice = (name: string, service: string | undefined, resourceVersion = '1'): EndpointSliceInput => ({
  metadata: { namespace: 'shop', name, resourceVersion, labels: service === undefined ? {} : { 'kubernetes.io/service-name': service } },
});

test('the slice index follows the service-name label', () => {
  const index = createSliceIndex();
  const [a, b] = [slice('a', 'web'), slice('b', 'web')];
  for (const object of [a, b, slice('c', undefined)]) index.take({ type: 'added', object, initial: true });
  expect(index.of('shop/web')).toEqual([a, b]);
  const newer = slice('a', 'web', '2');
  index.take({ type: 'updated', object: newer, old: a });
  expect(index.of('shop/web')).toEqual([newer, b]);
  const moved = slice('b', 'api', '3');
  index.take({ type: 'updated', object: moved, old: b });
  expect([index.of('shop/web'), index.of('shop/api')]).toEqual([[newer], [moved]]);
  const orphan = slice('b', undefined, '4');
  index.take({ type: 'updated', object: orphan, old: moved });
  index.take({ type: 'deleted', object: newer, missed: true });
  expect([index.of('shop/web'), index.of('shop/api')]).toEqual([[], []]);
});
