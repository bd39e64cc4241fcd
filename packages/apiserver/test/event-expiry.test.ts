import { type ApiObject, resources } from 'kube-endpoints/port';
import { expect, test } from 'vitest';
import { type ApiServerOptions, createApiServer } from '../src/index.ts';
import { createClock } from './store/support.ts';

const hour = 3_600_000;
const event = (name: string): ApiObject => ({
  metadata: { name, namespace: 'default' },
  involvedObject: { kind: 'Service', namespace: 'default', name: 'web' },
});
const key = (name: string) => ({ namespace: 'default', name });

async function createEventServer(options: ApiServerOptions = {}) {
  const clock = createClock();
  const server = await createApiServer({ clock, ...options });
  const { client } = server;
  const list = async (): Promise<(string | undefined)[]> =>
    (await client.list(resources.events)).items.map(({ metadata }) => metadata.name);
  return { clock, server, client, list };
}

test('deletes an Event one hour after its last write, even with a finalizer', async () => {
  const { clock, server, client, list } = await createEventServer({ background: false });
  await client.create(resources.events, { ...event('a'), metadata: { ...event('a').metadata, finalizers: ['example.com/f'] } });
  clock.advance(hour / 2);
  const created = await client.create(resources.events, event('b'));
  await client.create(resources.events, event('c'));
  clock.advance(hour / 2 - 1);
  expect(await list()).toEqual(['a', 'b', 'c']);
  await client.update(resources.events, { ...created, reason: 'Changed' } as ApiObject);
  clock.advance(1);
  expect(await list()).toEqual(['b', 'c']);
  clock.advance(hour / 2);
  expect(await list()).toEqual(['b']);
  clock.advance(hour / 2 - 1);
  expect(await list()).toEqual([]);
  await server.close();
  expect(clock.scheduled).toBe(0);
});

test('a watch sees the deletion, at a new resourceVersion', async () => {
  const { clock, server, client } = await createEventServer({ eventTTL: 1000 });
  const created = await client.create(resources.events, event('a'));
  const watch = client.watch(resources.events, { resourceVersion: created.metadata.resourceVersion ?? '' });
  clock.advance(1000);
  const { value } = await watch[Symbol.asyncIterator]().next();
  expect(value).toMatchObject({ type: 'DELETED', object: { metadata: { name: 'a' } } });
  expect(Number(value?.object?.metadata?.resourceVersion)).toBeGreaterThan(Number(created.metadata.resourceVersion));
  await server.close();
});

test('forgets an Event that a client deleted, and gives one of the same name its own hour', async () => {
  const { clock, server, client, list } = await createEventServer();
  await client.create(resources.events, event('a'));
  clock.advance(hour - 1);
  await client.delete(resources.events, key('a'));
  await client.create(resources.events, event('a'));
  clock.advance(hour - 1);
  expect(await list()).toEqual(['a']);
  clock.advance(1);
  expect(await list()).toEqual([]);
  await server.close();
});

test('keeps Events if eventTTL is 0, and other objects always', async () => {
  const { clock, server, client, list } = await createEventServer({ eventTTL: 0 });
  await client.create(resources.events, event('a'));
  clock.advance(100 * hour);
  expect(await list()).toEqual(['a']);
  expect((await client.list(resources.namespaces)).items.length).toBeGreaterThan(0);
  await server.close();
});
