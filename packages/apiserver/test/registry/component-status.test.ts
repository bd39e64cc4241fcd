import { resources } from 'kube-endpoints/port';
import { describe, expect, test } from 'vitest';
import { createApiServer, type Listening } from '../../src/index.ts';

const componentStatuses = { group: '', version: 'v1', plural: 'componentstatuses', kind: 'ComponentStatus', namespaced: false };

const read = async ({ url, token = '' }: Listening, path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(url + path, { ...init, headers: { authorization: `Bearer ${token}`, ...init.headers } });

describe('ComponentStatuses', () => {
  test('are computed, and have no versions', async () => {
    await using server = await createApiServer();
    const listening = await server.listen({ tls: false });
    const list = await read(listening, '/api/v1/componentstatuses');
    expect(list.headers.get('warning')).toBe('299 - "v1 ComponentStatus is deprecated in v1.19+"');
    const { items, ...rest } = (await list.json()) as { items: { metadata: object }[] };
    expect(rest).toStrictEqual({ kind: 'ComponentStatusList', apiVersion: 'v1', metadata: {} });
    expect(items.map(({ metadata }) => metadata)).toStrictEqual([
      { name: 'controller-manager' },
      { name: 'etcd-0' },
      { name: 'scheduler' },
    ]);
    expect(await (await read(listening, '/api/v1/componentstatuses/etcd-0')).json()).toStrictEqual({
      kind: 'ComponentStatus',
      apiVersion: 'v1',
      metadata: { name: 'etcd-0' },
      conditions: [{ type: 'Healthy', status: 'True', message: 'ok' }],
    });
    const selected = await read(listening, '/api/v1/componentstatuses?fieldSelector=metadata.name%3Dscheduler');
    expect(((await selected.json()) as { items: unknown[] }).items).toHaveLength(1);
  });

  test('that do not exist are reported with the singular name', async () => {
    await using server = await createApiServer();
    const answer = await read(await server.listen({ tls: false }), '/api/v1/componentstatuses/etcd-1');
    expect([answer.status, await answer.json()]).toMatchObject([404, { message: 'componentstatus "etcd-1" not found' }]);
  });

  test('are shown as a table', async () => {
    await using server = await createApiServer();
    const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io';
    const answer = await read(await server.listen({ tls: false }), '/api/v1/componentstatuses', { headers: { accept } });
    expect(((await answer.json()) as { rows: { cells: unknown[] }[] }).rows.map(({ cells }) => cells.slice(0, 3))).toStrictEqual([
      ['controller-manager', 'Unhealthy', ''],
      ['etcd-0', 'Healthy', 'ok'],
      ['scheduler', 'Unhealthy', ''],
    ]);
  });

  test.each(['POST', 'DELETE'])('refuse %s', async (method) => {
    await using server = await createApiServer();
    const answer = await read(await server.listen({ tls: false }), '/api/v1/componentstatuses', { method });
    expect(answer.status).toBe(405);
    await expect(server.client.create(componentStatuses, { metadata: { name: 'etcd-1' } })).rejects.toMatchObject({
      status: { reason: 'MethodNotAllowed' },
    });
  });

  test('are in discovery with their two verbs', async () => {
    await using server = await createApiServer();
    const { resources: served } = (await (await read(await server.listen({ tls: false }), '/api/v1')).json()) as {
      resources: { name: string }[];
    };
    expect(served.find(({ name }) => name === 'componentstatuses')).toStrictEqual({
      name: 'componentstatuses',
      singularName: 'componentstatus',
      namespaced: false,
      kind: 'ComponentStatus',
      verbs: ['get', 'list'],
      shortNames: ['cs'],
    });
    expect(served.find(({ name }) => name === resources.pods.plural)).toHaveProperty('storageVersionHash');
  });
});
