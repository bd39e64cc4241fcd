import { expect, test } from 'vitest';
import { createUnanswered } from '../../../src/runtime/controllers/unanswered.ts';
import type { Endpoints } from '../../../src/types/index.ts';

const endpointsOf = (labels: Record<string, string>, ...ips: string[]): Endpoints => ({
  apiVersion: 'v1',
  kind: 'Endpoints',
  metadata: { namespace: 'shop', name: 'web', labels },
  ...(ips.length > 0 && { subsets: [{ addresses: ips.map((ip) => ({ ip })), ports: [{ port: 80 }] }] }),
});

const stored = (endpoints: Endpoints): Endpoints => ({
  ...endpoints,
  metadata: { ...endpoints.metadata, uid: 'u', resourceVersion: '7' },
});

test('knows what it was to make again, whatever the server has added and in whatever order labels come', () => {
  const unanswered = createUnanswered({ elapsed: () => 0 });
  expect(unanswered.isOf('shop/web', endpointsOf({}))).toBe(false);
  const sent = endpointsOf({ b: '2', a: '1' }, '10.0.0.1');
  unanswered.add('shop/web', sent);
  expect(unanswered.get('shop/web')).toBe(sent);
  expect(unanswered.isOf('shop/web', stored(endpointsOf({ a: '1', b: '2' }, '10.0.0.1')))).toBe(true);
  expect(unanswered.isOf('shop/web', stored(endpointsOf({ a: '1' }, '10.0.0.1')))).toBe(false);
  expect(unanswered.isOf('shop/web', stored(endpointsOf({ a: '1', b: '2' }, '10.0.0.2')))).toBe(false);
  expect(unanswered.isOf('shop/api', stored(sent))).toBe(false);
});

test('takes no subsets for an empty list of them', () => {
  const unanswered = createUnanswered({ elapsed: () => 0 });
  unanswered.add('shop/web', { ...endpointsOf({}), subsets: [] });
  expect(unanswered.isOf('shop/web', stored(endpointsOf({})))).toBe(true);
});

test('forgets what is known, and what was long ago', () => {
  let now = 0;
  const unanswered = createUnanswered({ elapsed: () => now });
  unanswered.add('shop/web', endpointsOf({}));
  unanswered.add('shop/api', endpointsOf({}));
  unanswered.drop('shop/api');
  expect(unanswered.get('shop/api')).toBeUndefined();
  now = 1_799_999;
  expect(unanswered.get('shop/web')).toBeDefined();
  now = 1_800_000;
  expect(unanswered.get('shop/web')).toBeUndefined();
  expect(unanswered.isOf('shop/web', endpointsOf({}))).toBe(false);
  unanswered.add('shop/api', endpointsOf({}));
  now = 0;
  expect(unanswered.get('shop/web')).toBeUndefined();
});
