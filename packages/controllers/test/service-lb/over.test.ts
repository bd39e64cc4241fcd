import { cleanupFinalizer } from 'kube-endpoints/load-balancer';
import { expect, test } from 'vitest';
import { asOver, isOver } from '../../src/service-lb/claims.ts';
import { createCloud } from './cloud.ts';
import { balanced, createWorld, nodeNamed } from './world.ts';

const deletionTimestamp = '2026-01-01T00:00:00Z';

test.each<[string, object, boolean]>([
  ['is not being deleted', { finalizers: ['example.com/hold'] }, false],
  ['is being deleted and has to be cleaned up', { deletionTimestamp, finalizers: [cleanupFinalizer, 'example.com/hold'] }, false],
  ['is being deleted and held by others alone', { deletionTimestamp, finalizers: ['example.com/hold'] }, true],
  ['is being deleted and held by nobody', { deletionTimestamp }, true],
])('a Service that %s: %s', (_, metadata, over) => {
  expect(isOver({ metadata })).toBe(over);
});

test('one that is over is taken for no load balancer', () => {
  const service = { metadata: { name: 'web' }, spec: { type: 'LoadBalancer', externalName: 'x' } };
  expect(asOver(service)).toEqual({ metadata: { name: 'web' }, spec: { type: 'ClusterIP', externalName: 'x' } });
  expect(service.spec.type).toBe('LoadBalancer');
});

test('one that others hold is cleaned up, and given no finalizer, by the next process either', async () => {
  const finalizers = ['example.com/hold'];
  await using world = await createWorld({ objects: [nodeNamed('n1'), balanced('web', {}, { finalizers })] });
  await world.start();
  await world.delete('web');
  await world.pass(20_000);
  expect((await world.get('web'))?.metadata.finalizers).toEqual(finalizers);
  expect(world.cloud.held.size).toBe(0);
  expect(world.outcomes('web').every((outcome) => outcome === 'success 0')).toBe(true);
  await world.stop();
  world.cloud.asked();
  await world.start();
  await world.pass(20_000);
  expect(world.cloud.asked()).toEqual(['list ', 'get web']);
  expect(world.outcomes('web').every((outcome) => outcome === 'success 0')).toBe(true);
  expect(world.controller.idle).toBe(true);
});

test('what the cloud still has for one is deleted', async () => {
  const finalizers = ['example.com/hold'];
  await using world = await createWorld({ objects: [nodeNamed('n1'), balanced('web', {}, { finalizers })] });
  const uid = (await world.get('web'))?.metadata.uid ?? '';
  await world.delete('web');
  world.cloud.held.set(uid, { service: { metadata: { namespace: 'shop', name: 'web', uid } }, nodes: [] });
  await world.start();
  expect(world.cloud.held.size).toBe(0);
});

test('a Service that goes while its clean-up fails leaves nothing in a cloud that cannot list', async () => {
  const cloud = createCloud({ list: false });
  const finalizers = ['example.com/hold'];
  await using world = await createWorld({ objects: [nodeNamed('n1'), balanced('web', {}, { finalizers })], cloud });
  await world.start();
  cloud.twist = ({ call }) => (call === 'get' ? Promise.reject(new Error('busy')) : undefined);
  await world.delete('web');
  await world.change('web', { metadata: { finalizers } });
  await world.pass(100);
  await world.change('web', { metadata: { finalizers: null } });
  await world.pass(60_000);
  expect([await world.get('web'), cloud.held.size]).toEqual([undefined, 0]);
});
