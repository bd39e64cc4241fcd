import type { Endpoints } from 'kube-endpoints/types';
import { expect, test } from 'vitest';
import { createUnanswered } from '../../src/controllers/endpoints-sync.ts';

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
  expect(unanswered.has('shop/web')).toBe(true);
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

test('knows each of several, and forgets the one that is known', () => {
  const unanswered = createUnanswered({ elapsed: () => 0 });
  for (const ip of ['10.0.0.1', '10.0.0.2']) unanswered.add('shop/web', endpointsOf({}, ip));
  unanswered.drop('shop/web', stored(endpointsOf({}, '10.0.0.2')));
  expect(['10.0.0.1', '10.0.0.2'].map((ip) => unanswered.isOf('shop/web', endpointsOf({}, ip)))).toEqual([true, false]);
  unanswered.drop('shop/web', endpointsOf({}, '10.0.0.1'));
  expect(unanswered.has('shop/web')).toBe(false);
});

test('keeps the latest eight of a Service', () => {
  const unanswered = createUnanswered({ elapsed: () => 0 });
  const each = (act: (endpoints: Endpoints) => unknown) => Array.from({ length: 10 }, (_, n) => act(endpointsOf({}, `10.0.0.${n}`)));
  each((endpoints) => unanswered.add('shop/web', endpoints));
  expect(each((endpoints) => unanswered.isOf('shop/web', endpoints))).toEqual([false, false, ...Array(8).fill(true)]);
});

test('forgets what was long ago', () => {
  let now = 0;
  const unanswered = createUnanswered({ elapsed: () => now });
  unanswered.add('shop/web', endpointsOf({}));
  now = 1_799_999;
  expect(unanswered.has('shop/web')).toBe(true);
  now = 1_800_000;
  expect(unanswered.has('shop/web')).toBe(false);
  expect(unanswered.isOf('shop/web', endpointsOf({}))).toBe(false);
  unanswered.add('shop/api', endpointsOf({}));
  now = 0;
  expect(unanswered.has('shop/web')).toBe(false);
});
