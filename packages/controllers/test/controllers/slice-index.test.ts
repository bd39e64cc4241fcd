import type { EndpointSliceInput } from 'kube-endpoints/types';
import { expect, test } from 'vitest';
import { createSliceIndex } from '../../src/controllers/object-events.ts';

const slice = (name: string, service: string | undefined, resourceVersion = '1'): EndpointSliceInput => ({
  metadata: { namespace: 'shop', name, resourceVersion, labels: service === undefined ? {} : { 'kubernetes.io/service-name': service } },
});

test('slices are found by the label of their Service, wherever it moves', () => {
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
