import { chmodSync, cpSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { type ApiObject, resources } from 'kube-endpoints/port';
import { describe, expect, test } from 'vitest';
import { makeFolder } from '../../../../test/support/temporary.ts';
import { type ApiServer, type ApiServerOptions, createApiServer, type Listening } from '../../src/index.ts';
import { createClock } from '../store/support.ts';

const newFolder = (): string => join(makeFolder(), 'data');
const configMaps = { group: '', version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true } as const;
const key = { namespace: 'default', name: 'settings' };

/** Opens a server, calls `use`, and closes it. */
async function withServer<T>(options: ApiServerOptions, use: (server: ApiServer) => Promise<T>): Promise<T> {
  await using server = await createApiServer(options);
  return await use(server);
}

const listAll = async ({ client }: ApiServer, plurals: readonly (keyof typeof resources)[]): Promise<ApiObject[]> =>
  (await Promise.all(plurals.map((plural) => client.list(resources[plural])))).flatMap(({ items }) => items);

describe('createApiServer with the option data', () => {
  test('restores all objects, uids and resource versions, and continues', async () => {
    const data = newFolder();
    const all = ['namespaces', 'services', 'pods'] as const;
    const [before, revision] = await withServer({ data }, async (server) => {
      await server.client.create(resources.pods, {
        metadata: { namespace: 'default', name: 'web' },
        spec: { containers: [{ name: 'c', image: 'i' }] },
      });
      await server.client.create(configMaps, { metadata: key, data: { a: '1' } });
      await server.client.delete(configMaps, key);
      await server.settle();
      return [await listAll(server, all), (await server.client.list(configMaps)).metadata.resourceVersion];
    });
    expect(before.length).toBeGreaterThan(5);
    await withServer({ data }, async (server) => {
      expect(await listAll(server, all)).toStrictEqual(before);
      expect((await server.client.list(configMaps)).metadata.resourceVersion).toBe(revision);
      const created = await server.client.create(configMaps, { metadata: key });
      expect(created.metadata.resourceVersion).toBe(String(Number(revision) + 1));
    });
  });

  test('continues a watch of the last run', async () => {
    const data = newFolder();
    const resourceVersion = await withServer({ data }, async ({ client }) => {
      const { metadata } = await client.create(configMaps, { metadata: key });
      await client.delete(configMaps, key);
      return metadata.resourceVersion as string;
    });
    await withServer({ data }, async ({ client }) => {
      const { value } = await client.watch(configMaps, { resourceVersion })[Symbol.asyncIterator]().next();
      expect(value).toMatchObject({ type: 'DELETED', object: { metadata: { name: 'settings' } } });
    });
  });

  test('expires a watch from before a compaction', async () => {
    const data = newFolder();
    await withServer({ data }, async (server) => {
      await server.client.create(configMaps, { metadata: key });
      server.compact();
    });
    await withServer({ data }, async ({ client }) => {
      await expect(client.watch(configMaps, { resourceVersion: '2' })[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: 410 });
    });
  });

  test('does not assign the addresses and ports of restored Services again', async () => {
    const data = newFolder();
    const service = (name: string, clusterIP?: string, nodePort?: number): ApiObject => ({
      metadata: { namespace: 'default', name },
      spec: { type: 'NodePort', ports: [{ port: 80, ...(nodePort && { nodePort }) }], ...(clusterIP && { clusterIP }) },
    });
    await withServer({ data }, ({ client }) => client.create(resources.services, service('a', '10.96.0.9', 30_009)));
    await withServer({ data }, async ({ client }) => {
      await expect(client.create(resources.services, service('b', '10.96.0.9'))).rejects.toThrow('provided IP is already allocated');
      await expect(client.create(resources.services, service('b', undefined, 30_009))).rejects.toThrow(
        'provided port is already allocated',
      );
      await expect(client.create(resources.services, service('b', '10.96.0.1'))).rejects.toThrow('provided IP is already allocated');
      await client.delete(resources.services, { namespace: 'default', name: 'a' });
      await client.create(resources.services, service('b', '10.96.0.9', 30_009));
    });
  });

  test('ignores addresses of restored Services that are outside the ranges', async () => {
    const data = newFolder();
    await withServer({ data, serviceClusterIPRanges: ['10.1.0.0/16', 'fd00::/112'] }, ({ client }) =>
      client.create(resources.services, {
        metadata: { namespace: 'default', name: 'a' },
        spec: { ports: [{ port: 80 }], ipFamilyPolicy: 'PreferDualStack' },
      }),
    );
    await withServer({ data, serviceClusterIPRanges: ['10.2.0.0/16'] }, async ({ client }) => {
      const { spec } = await client.create(resources.services, {
        metadata: { namespace: 'default', name: 'b' },
        spec: { ports: [{ port: 80 }] },
      });
      expect(spec).toMatchObject({ clusterIP: expect.stringMatching(/^10\.2\./) as string });
    });
  });

  test('serves restored custom resources at once, and collects their garbage', async () => {
    const data = newFolder();
    const fleets = { group: 'example.com', version: 'v1', plural: 'fleets', kind: 'Fleet', namespaced: true };
    const definition: ApiObject = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'fleets.example.com' },
      spec: {
        group: 'example.com',
        names: { plural: 'fleets', kind: 'Fleet' },
        scope: 'Namespaced',
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
      },
    };
    await withServer({ data, objects: [definition], background: false }, async ({ client }) => {
      const owner = await client.create(fleets, { metadata: { namespace: 'default', name: 'a' } });
      const ownerReferences = [{ apiVersion: 'example.com/v1', kind: 'Fleet', name: 'a', uid: owner.metadata.uid }];
      await client.create(fleets, { metadata: { namespace: 'default', name: 'b', ownerReferences } });
      await client.create(configMaps, { metadata: { ...key, ownerReferences } });
      await client.delete(fleets, { namespace: 'default', name: 'a' });
    });
    const clock = createClock(Date.now());
    await withServer({ data, clock }, async (server) => {
      expect((await server.client.list(fleets)).items.map(({ metadata }) => metadata.name)).toStrictEqual(['b']);
      clock.advance(50);
      await server.settle();
      expect((await server.client.list(fleets)).items).toStrictEqual([]);
      expect((await server.client.list(configMaps)).items).toStrictEqual([]);
    });
  });

  test('ends the grace periods of restored pods', async () => {
    const data = newFolder();
    const clock = createClock(Date.parse('2026-01-02T03:04:05Z'));
    const pod = { metadata: { namespace: 'default', name: 'web' }, spec: { nodeName: 'n', containers: [{ name: 'c', image: 'i' }] } };
    await withServer({ data, clock }, async ({ client }) => {
      await client.create(resources.pods, pod);
      await client.delete(resources.pods, { namespace: 'default', name: 'web' });
    });
    await withServer({ data, clock }, async (server) => {
      await server.settle();
      expect((await server.client.list(resources.pods)).items).toHaveLength(1);
      clock.advance(30_000);
      await server.settle();
      expect((await server.client.list(resources.pods)).items).toStrictEqual([]);
    });
  });

  test('deletes restored Events when their time has passed since their last write', async () => {
    const data = newFolder();
    const clock = createClock(Date.parse('2026-01-02T03:04:05Z'));
    const event = (name: string): ApiObject => ({
      metadata: { namespace: 'default', name },
      involvedObject: { kind: 'Pod', namespace: 'default' },
    });
    const options = { data, clock, managedFields: true };
    await withServer(options, async ({ client }) => {
      const created = await client.create(resources.events, event('a'));
      await client.create(resources.events, event('b'));
      clock.advance(1_800_000);
      await client.update(resources.events, { ...created, reason: 'Changed' } as ApiObject);
    });
    const names = async ({ client }: ApiServer): Promise<unknown> =>
      (await client.list(resources.events)).items.map(({ metadata }) => metadata.name);
    await withServer(options, async (server) => {
      clock.advance(1_799_000);
      await server.settle();
      expect(await names(server)).toStrictEqual(['a', 'b']);
      clock.advance(1_000);
      await server.settle();
      expect(await names(server)).toStrictEqual(['a']);
      clock.advance(1_800_000);
      await server.settle();
      expect(await names(server)).toStrictEqual([]);
    });
  });

  test('loads initial objects into a new folder, and leaves restored ones unchanged', async () => {
    const data = newFolder();
    const namespace: ApiObject = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default', labels: { team: 'a' } } };
    const settings: ApiObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata: key, data: { a: '1' } };
    await withServer({ data, objects: [namespace, settings] }, async ({ client }) => {
      await client.patch(configMaps, key, { data: { a: '2' } }, { type: 'merge' });
      await client.patch(resources.namespaces, { name: 'default' }, { metadata: { labels: { team: 'b' } } }, { type: 'merge' });
    });
    const added: ApiObject = { ...settings, metadata: { ...key, name: 'added' } };
    await withServer({ data, objects: [namespace, settings, added] }, async (server) => {
      expect((await server.client.get(configMaps, key))['data']).toStrictEqual({ a: '2' });
      expect((await server.client.get(resources.namespaces, { name: 'default' })).metadata.labels).toMatchObject({ team: 'b' });
      await server.client.get(configMaps, { ...key, name: 'added' });
      await expect(server.load([settings])).rejects.toThrow('already exists');
      const kept: ApiObject[] = [];
      await server.load([settings], { keep: (object) => kept.push(object) });
      expect(kept).toStrictEqual([settings]);
    });
  });

  test('loads many objects together, in the order of their kinds', async () => {
    const data = newFolder();
    const objects = Array.from(
      { length: 300 },
      (_, index): ApiObject => ({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { namespace: 'shop', name: `m${index}` },
      }),
    );
    const refused: ApiObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: 'shop', name: 'Not_Valid' } };
    await withServer({ data, objects }, async (server) => {
      expect((await server.client.list(configMaps)).items).toHaveLength(300);
      await expect(server.load([refused, ...objects])).rejects.toMatchObject({ name: 'LoadError', object: refused });
    });
  });

  test('refuses a folder in use, of this or another process, and any that is no folder', async () => {
    const data = newFolder();
    await using server = await createApiServer({ data });
    await expect(createApiServer({ data })).rejects.toMatchObject({
      code: 'ERR_DATA',
      message: `${data} is in use by process ${process.pid}: stop it, or give another folder`,
    });
    const file = join(makeFolder(), 'file');
    writeFileSync(file, '');
    await expect(createApiServer({ data: file })).rejects.toThrow(
      `${file} cannot be used: this is not a folder: give a new or empty folder (EEXIST)`,
    );
    await expect(createApiServer({ data: '/proc/self/fdinfo' })).rejects.toMatchObject({ code: 'ERR_DATA' });
    expect(server.stats().objects).toBeGreaterThan(0);
  });

  test('creates files that only their owner can read, and leaves no lock', async () => {
    const data = newFolder();
    await withServer({ data }, (server) => server.listen());
    expect(readdirSync(data)).toStrictEqual(['credentials.json', 'journal-00000001']);
    expect(readdirSync(data).map((name) => statSync(join(data, name)).mode & 0o777)).toStrictEqual([0o600, 0o600]);
    expect(statSync(data).mode & 0o777).toBe(0o700);
  });

  test('works in a folder with a long path', async () => {
    const data = join(newFolder(), 'x'.repeat(120), 'y'.repeat(120));
    await withServer({ data }, ({ client }) => client.create(configMaps, { metadata: key }));
    await withServer({ data }, ({ client }) => client.get(configMaps, key));
  });

  test('has the state of a copy that was made while the server ran', async () => {
    const [data, copy] = [newFolder(), newFolder()];
    await withServer({ data }, async ({ client }) => {
      const created = await client.create(configMaps, { metadata: key });
      cpSync(data, copy, { recursive: true, filter: (path) => !path.includes('/lock-') });
      await client.delete(configMaps, key);
      await withServer({ data: copy }, async (second) => expect(await second.client.get(configMaps, key)).toStrictEqual(created));
    });
  });
});

describe('a listener of a server with data', () => {
  const status = (
    { url }: Listening,
    { ca = '', token = '' }: { readonly ca?: string; readonly token?: string },
  ): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      request(`${url}/api/v1/namespaces`, { ca, agent: false, headers: { Authorization: `Bearer ${token}` } }, (answer) => {
        answer.resume().on('end', () => resolve(answer.statusCode));
      })
        .on('error', reject)
        .end();
    });

  test('accepts the kubeconfig of the last run', async () => {
    const data = newFolder();
    const { ca = '', token = '' } = await withServer({ data }, (server) => server.listen());
    await withServer({ data }, async (server) => {
      const [listener, other] = await Promise.all([server.listen(), server.listen()]);
      expect([listener.ca, listener.token, other.ca, other.token]).toStrictEqual([ca, token, ca, token]);
      expect(await status(listener, { ca, token })).toBe(200);
    });
  });

  test('keeps the token and creates a certificate if a name is missing or it expires soon', async () => {
    const data = newFolder();
    const clock = createClock(Date.parse('2026-01-02T03:04:05Z'));
    const listen = (serverNames?: readonly string[]): Promise<Listening> =>
      withServer({ data, clock }, (server) => server.listen(serverNames ? { serverNames } : {}));
    const first = await listen();
    const second = await listen(['api.example.com']);
    const third = await listen();
    expect([second.token, third.token]).toStrictEqual([first.token, first.token]);
    expect(second.ca).not.toBe(first.ca);
    expect(third.ca).toBe(second.ca);
    clock.advance(336 * 24 * 3_600_000);
    const fourth = await listen();
    expect(fourth.token).toBe(first.token);
    expect(fourth.ca).not.toBe(first.ca);
  });

  test('saves no credentials that are given, and still checks the options', async () => {
    const data = newFolder();
    await withServer({ data }, async (server) => {
      await expect(server.listen({ host: '0.0.0.0' })).rejects.toThrow(RangeError);
      const listener = await server.listen({ tls: false, tokens: [{ token: 'given' }] });
      expect(listener.token).toBe('given');
      await server.listen({ tls: false, anonymous: true });
    });
    expect(readFileSync(join(data, 'credentials.json'), 'utf8')).not.toMatch(/given|certificate/);
  });

  test('keeps tokens of ServiceAccounts valid', async () => {
    const data = newFolder();
    const issued = await withServer({ data }, async (server) => {
      await server.settle();
      const { url, token } = await server.listen({ tls: false });
      const answer = await fetch(`${url}/api/v1/namespaces/default/serviceaccounts/default/token`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} }),
      });
      return ((await answer.json()) as { readonly status: { readonly token: string } }).status.token;
    });
    await withServer({ data }, async (server) => {
      const listener = await server.listen();
      const { ca = '' } = listener;
      expect(await status(listener, { ca, token: issued })).toBe(200);
      expect(await status(listener, { ca, token: `${issued.slice(0, -2)}AA` })).toBe(401);
    });
  });

  test('refuses damaged credentials', async () => {
    const data = newFolder();
    await withServer({ data }, (server) => server.listen());
    const path = join(data, 'credentials.json');
    writeFileSync(path, readFileSync(path, 'utf8').slice(0, -10));
    await expect(createApiServer({ data })).rejects.toMatchObject({
      code: 'ERR_DATA',
      message: `${path} is damaged: remove it; then clients need a new kubeconfig, and ServiceAccounts new tokens`,
    });
    chmodSync(path, 0o600);
  });
});
