import { request } from 'node:https';
import { type ApiObject, resources, type WatchEvent } from 'kube-endpoints/port';
import { describe, expect, test } from 'vitest';
import { type ApiServer, createApiServer, createFaults, createFunctionAdmission, type Listening, randomnessFrom } from '../src/index.ts';
import { seeded } from './registry/support.ts';
import { createClock } from './store/support.ts';

const configMaps = { group: '', version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true } as const;
const key = { namespace: 'default', name: 'settings' };
const settings: ApiObject = { metadata: key, data: { a: '1' } };

interface Reply {
  readonly code: number | undefined;
  readonly json: Record<string, unknown>;
}

function sendRequest({ url, ca, token }: Listening, path: string, method = 'GET', body?: object): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const clientRequest = request(url + path, { method, headers, agent: false, ...(ca !== undefined && { ca }) }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      answer.on('end', () => resolve({ code: answer.statusCode, json: JSON.parse(text) as Reply['json'] })).on('error', reject);
    });
    clientRequest.on('error', reject).end(body && JSON.stringify(body));
  });
}

describe('fresh server', () => {
  test('has the namespaces and the Service of every cluster', async () => {
    await using server = await createApiServer();
    const { items } = await server.client.list(resources.namespaces);
    expect(items.map(({ metadata }) => metadata.name)).toEqual(['default', 'kube-node-lease', 'kube-public', 'kube-system']);
    const { spec } = await server.client.get(resources.services, { namespace: 'default', name: 'kubernetes' });
    expect(spec).toMatchObject({ clusterIP: '10.96.0.1' });
  });

  test('is deterministic with a fixed clock and random numbers', async () => {
    const createPod = async (): Promise<ApiObject> => {
      const clock = createClock(Date.parse('2026-01-02T03:04:05Z'));
      await using server = await createApiServer({ clock, randomness: randomnessFrom(seeded()) });
      return server.client.create(resources.pods, {
        metadata: { namespace: 'default', generateName: 'web-' },
        spec: { containers: [{ name: 'web', image: 'web:1' }] },
      });
    };
    const [first, second] = [await createPod(), await createPod()];
    expect(first).toEqual(second);
    expect(first.metadata).toMatchObject({ creationTimestamp: '2026-01-02T03:04:05Z', name: expect.stringMatching(/^web-[a-z0-9]{5}$/) });
  });
});

describe('in-process client and HTTP server', () => {
  test('share one store: both read what the other wrote', async () => {
    await using server = await createApiServer();
    const listening = await server.listen();
    const created = await sendRequest(listening, '/api/v1/namespaces/default/configmaps', 'POST', {
      metadata: { name: 'settings' },
      data: { a: '1' },
    });
    expect(created.code).toBe(201);
    const stored = await server.client.get(configMaps, key);
    expect(stored).toMatchObject({ data: { a: '1' }, metadata: { uid: (created.json['metadata'] as { uid: string }).uid } });
    await server.client.patch(configMaps, key, { data: { a: '2' } }, { type: 'merge' });
    expect((await sendRequest(listening, '/api/v1/namespaces/default/configmaps/settings')).json).toMatchObject({ data: { a: '2' } });
  });

  test('return a kubeconfig with the URL and the token', async () => {
    await using server = await createApiServer();
    const { url, kubeconfig, token } = await server.listen();
    expect(kubeconfig()).toContain(`server: ${JSON.stringify(url)}`);
    expect(kubeconfig()).toContain(`token: ${JSON.stringify(token)}`);
  });

  test('record managed fields: always over HTTP, in process on request', async () => {
    for (const managedFields of [false, true]) {
      await using server = await createApiServer({ managedFields });
      const listening = await server.listen();
      const { metadata } = await server.client.create(configMaps, settings);
      expect(metadata.managedFields !== undefined).toBe(managedFields);
      const { json } = await sendRequest(listening, '/api/v1/namespaces/default/configmaps', 'POST', {
        metadata: { name: 'other' },
        data: { a: '1' },
      });
      expect((json['metadata'] as { managedFields?: object }).managedFields).toBeDefined();
    }
  });

  test('are both closed by close()', async () => {
    const server = await createApiServer();
    const listening = await server.listen();
    const events = server.client.watch(resources.pods)[Symbol.asyncIterator]();
    const next = events.next();
    await server.close();
    expect(await next).toEqual({ done: true, value: undefined });
    await expect(sendRequest(listening, '/version')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });
});

describe('closed server', () => {
  const closedMessage = 'the API server is closed';

  test('rejects all calls, and can be closed again', async () => {
    const server = await createApiServer();
    await server.close();
    await expect(server.client.create(configMaps, settings)).rejects.toMatchObject({
      message: closedMessage,
      code: 'ERR_SERVER_NOT_RUNNING',
    });
    await expect(server.client.get(configMaps, key)).rejects.toThrow(closedMessage);
    expect(() => server.client.watch(configMaps)).toThrow(closedMessage);
    await expect(server.load([{ apiVersion: 'v1', kind: 'ConfigMap', ...settings }])).rejects.toThrow(closedMessage);
    await expect(server.listen()).rejects.toThrow(closedMessage);
    await server.settle();
    await server.close();
  });

  test('stops a listener that was starting', async () => {
    const server = await createApiServer();
    const first = await server.listen();
    const port = Number(new URL(first.url).port);
    await first.close();
    const listening = server.listen({ port });
    const rejection = expect(listening).rejects.toThrow(closedMessage);
    await server.close();
    await rejection;
    await expect(sendRequest(first, '/version')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  test('closes cleanly after a failed listen', async () => {
    const server = await createApiServer();
    const { url } = await server.listen();
    await expect(server.listen({ port: Number(new URL(url).port) })).rejects.toMatchObject({ code: 'EADDRINUSE' });
    await server.close();
  });

  test('rejects calls that wait for a resourceVersion or that a fault delays', async () => {
    const clock = createClock();
    const faults = createFaults({ clock, rules: [{ fault: 'latency', milliseconds: 100_000, verbs: ['get'] }, { fault: 'stallWatch' }] });
    const server = await createApiServer({ clock, faults });
    const stalledRead = server.client.watch(configMaps)[Symbol.asyncIterator]().next();
    const pendingCalls = [server.client.list(configMaps, { resourceVersion: '999' }), server.client.get(configMaps, key), stalledRead];
    const rejections = Promise.all(pendingCalls.map((each) => expect(each).rejects.toThrow(closedMessage)));
    await server.close();
    await rejections;
    expect(clock.scheduled).toBe(0);
  });
});

describe('background controllers', () => {
  const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'settings' };

  async function deleteOwner(server: ApiServer): Promise<void> {
    const { metadata } = await server.client.create(configMaps, settings);
    await server.client.create(configMaps, {
      metadata: { namespace: 'default', name: 'owned', ownerReferences: [{ ...owner, uid: metadata.uid as string }] },
    });
    await server.client.delete(configMaps, key, { propagationPolicy: 'Background' });
  }

  test('delete dependents of a deleted owner after a delay', async () => {
    const clock = createClock(Date.parse('2026-01-02T03:04:05Z'));
    await using server = await createApiServer({ clock });
    await deleteOwner(server);
    const deletion = (async (): Promise<string> => {
      for await (const event of server.client.watch(configMaps, { fieldSelector: 'metadata.name=owned' })) {
        if (event.type === 'DELETED') return 'deleted';
      }
      return 'not seen';
    })();
    clock.advance(1000);
    expect(await deletion).toBe('deleted');
  });

  test('delete dependents only in settle() if background is false', async () => {
    const clock = createClock(Date.parse('2026-01-02T03:04:05Z'));
    await using server = await createApiServer({ clock, background: false });
    await deleteOwner(server);
    clock.advance(60_000);
    expect((await server.client.list(configMaps, { namespace: 'default' })).items).toHaveLength(1);
    await server.settle();
    expect((await server.client.list(configMaps, { namespace: 'default' })).items).toEqual([]);
  });

  test('delete a terminating namespace with its content', async () => {
    await using server = await createApiServer({ background: false });
    await server.client.create(resources.namespaces, { metadata: { name: 'shop' } });
    await server.client.create(configMaps, { metadata: { namespace: 'shop', name: 'a' } });
    await server.client.delete(resources.namespaces, { name: 'shop' });
    await server.settle();
    await expect(server.client.get(resources.namespaces, { name: 'shop' })).rejects.toMatchObject({ reason: 'NotFound' });
    expect((await server.client.list(configMaps)).items).toEqual([]);
  });
});

test('admission functions mutate and refuse requests from both clients', async () => {
  const admission = createFunctionAdmission([
    {
      operations: ['CREATE'],
      resources: ['configmaps'],
      mutate: ({ object }) => ({ ...(object as ApiObject), data: { seen: 'yes' } }),
    },
    { operations: ['DELETE'], resources: ['configmaps'], validate: () => 'keep it' },
  ]);
  await using server = await createApiServer({ admission: [admission] });
  const listening = await server.listen();
  expect((await server.client.create(configMaps, settings))['data']).toEqual({ seen: 'yes' });
  const { code, json } = await sendRequest(listening, '/api/v1/namespaces/default/configmaps/settings', 'DELETE');
  expect(code).toBe(403);
  expect(json['message']).toMatch(/keep it$/);
});

test('faults apply to both clients', async () => {
  const faults = createFaults({
    rules: [{ fault: 'internalError', verbs: ['get'], resources: ['configmaps'], when: 'always' }],
  });
  await using server = await createApiServer({ faults });
  const listening = await server.listen();
  await server.client.create(configMaps, settings);
  await expect(server.client.get(configMaps, key)).rejects.toMatchObject({ code: 500 });
  expect((await sendRequest(listening, '/api/v1/namespaces/default/configmaps/settings')).code).toBe(500);
  expect(faults.log).toHaveLength(2);
});

test('compact drops old events', async () => {
  await using server = await createApiServer();
  const { metadata } = await server.client.create(configMaps, settings);
  await server.client.delete(configMaps, key);
  expect(server.stats().events).toBeGreaterThan(0);
  server.compact();
  expect(server.stats().events).toBe(0);
  const receivedEvents: WatchEvent[] = [];
  const read = async (): Promise<void> => {
    for await (const event of server.client.watch(configMaps, { resourceVersion: metadata.resourceVersion as string }))
      receivedEvents.push(event);
  };
  await expect(read()).rejects.toMatchObject({ code: 410, reason: 'Expired' });
});
