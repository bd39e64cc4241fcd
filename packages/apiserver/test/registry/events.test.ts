import { createIPBitmap, createPortAllocator } from 'kube-endpoints/allocators';
import { type ApiObject, resources } from 'kube-endpoints/port';
import { expect, it } from 'vitest';
import { builtInStrategies, createInProcessPort, createRegistry, type Registry } from '../../src/registry/index.ts';
import { createStore } from '../../src/store/index.ts';
import { statusOfLate } from '../store/support.ts';
import { at, object, seeded } from './support.ts';

const groupEvents = { group: 'events.k8s.io', version: 'v1', plural: 'events', kind: 'Event', namespaced: true };

async function builtIn(): Promise<Registry> {
  const draw = seeded();
  const clusterIPs = { IPv4: createIPBitmap({ cidr: '10.0.0.0/24', draw }) };
  const strategies = builtInStrategies({ clusterIPs, defaultFamily: 'IPv4', nodePorts: createPortAllocator({ draw }) });
  const registry = createRegistry({ store: createStore(), strategies });
  await registry.create(resources.namespaces, undefined, { metadata: { name: 'shop' } });
  return registry;
}

const event = object('e', {
  regarding: { kind: 'Pod', name: 'web', namespace: 'shop' },
  eventTime: '2026-01-02T03:04:05.000000Z',
  reportingController: 'example.com/web',
  reportingInstance: 'web-1',
  action: 'Starting',
  reason: 'Started',
  note: 'it runs',
  type: 'Normal',
});

it('stores events of both groups as those of the core group', async () => {
  const registry = await builtIn();
  const port = createInProcessPort(registry);
  const created = await port.create(groupEvents, event);
  expect(created).toMatchObject({ apiVersion: 'events.k8s.io/v1', note: 'it runs', deprecatedSource: {} });
  const core = await port.get(resources.events, at('e'));
  expect(core).toMatchObject({ apiVersion: 'v1', message: 'it runs', involvedObject: { name: 'web' }, firstTimestamp: null, source: {} });
  expect(await port.get(groupEvents, at('e'))).toBe(created);
  expect((await port.list(groupEvents, { fieldSelector: 'regarding.name=web' })).items).toEqual([created]);
  expect((await port.list(resources.events, { fieldSelector: 'involvedObject.name=web' })).items).toEqual([core]);
  expect(registry.store.stats().objects).toBe(2);
});

it('changes them in either form', async () => {
  const registry = await builtIn();
  await registry.create(groupEvents, 'shop', event);
  const series = { count: 2, lastObservedTime: '2026-01-02T03:05:05.000000Z' };
  const patched = await registry.patch(groupEvents, at('e'), { series }, { type: 'strategic' });
  expect(patched).toMatchObject({ series, note: 'it runs' });
  const updated = await registry.patch(resources.events, at('e'), { message: 'still' }, { type: 'merge' });
  expect(updated).toMatchObject({ message: 'still', series });
  expect(registry.storeFor(groupEvents).get(groupEvents, at('e'))).toMatchObject({ note: 'still' });
  const { object: gone } = await registry.delete(groupEvents, at('e'));
  expect(gone).toMatchObject({ note: 'still' });
  expect(registry.store.list(resources.events).items).toEqual([]);
});

it('checks each by the rules of its group', async () => {
  const registry = await builtIn();
  const { eventTime: _, ...undated } = event;
  expect(await statusOfLate(registry.create(groupEvents, 'shop', undated as typeof event))).toMatchObject({ code: 422 });
  const missing = await statusOfLate(registry.delete(groupEvents, at('none')));
  expect(missing).toMatchObject({ code: 404, message: 'events.events.k8s.io "none" not found' });
  expect(missing.details).toEqual({ name: 'none', group: 'events.k8s.io', kind: 'events' });
  await registry.create(groupEvents, 'shop', event);
  expect((await statusOfLate(registry.create(groupEvents, 'shop', event))).message).toBe('events.events.k8s.io "e" already exists');
  const core = await statusOfLate(registry.delete(resources.events, at('none')));
  expect([core.message, core.details]).toEqual(['events "none" not found', { name: 'none', kind: 'events' }]);
});

it('says who manages what of those that write in the same form', async () => {
  const registry = await builtIn();
  const managed = { managesFields: true };
  await registry.create(groupEvents, 'shop', event, { ...managed, fieldManager: 'one' });
  const write = (message: string, fieldManager: string): Promise<ApiObject> =>
    registry.patch(resources.events, at('e'), { message }, { ...managed, type: 'merge', fieldManager });
  const managersOf = ({ metadata }: ApiObject): unknown =>
    (metadata.managedFields as { manager: string; apiVersion: string }[]).map(({ manager, apiVersion }) => [manager, apiVersion]);
  expect(managersOf(await write('still', 'two'))).toEqual([['two', 'v1']]);
  const patched = await registry.patch(resources.events, at('e'), { count: 2 }, { ...managed, type: 'merge', fieldManager: 'three' });
  expect(managersOf(patched)).toEqual([
    ['three', 'v1'],
    ['two', 'v1'],
  ]);
});
