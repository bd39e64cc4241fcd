import { type ApiObject, type Resource, resources } from 'kube-endpoints/port';
import { describe, expect, test } from 'vitest';
import { type ApiServer, createApiServer } from '../../src/index.ts';

const core = (plural: string, kind: string): Resource => ({ group: '', version: 'v1', plural, kind, namespaced: true });
const [serviceAccounts, configMaps] = [core('serviceaccounts', 'ServiceAccount'), core('configmaps', 'ConfigMap')];

const namesOf = async (server: ApiServer, resource: Resource, namespace: string): Promise<(string | undefined)[]> =>
  (await server.client.list(resource, { namespace })).items.map(({ metadata }) => metadata.name);

const createNamespace = (server: ApiServer, name: string): Promise<ApiObject> =>
  server.client.create(resources.namespaces, { metadata: { name } });

describe('service accounts', () => {
  test('every namespace has the ServiceAccount default, also after it is deleted', async () => {
    await using server = await createApiServer();
    await createNamespace(server, 'shop');
    await server.settle();
    expect(await namesOf(server, serviceAccounts, 'shop')).toStrictEqual(['default']);
    expect(await namesOf(server, serviceAccounts, 'kube-system')).toStrictEqual(['default']);
    await server.client.delete(serviceAccounts, { namespace: 'shop', name: 'default' });
    await server.settle();
    expect(await namesOf(server, serviceAccounts, 'shop')).toStrictEqual(['default']);
  });

  test('none is created if a real controller manager runs, or in a namespace that is being deleted', async () => {
    await using server = await createApiServer({ background: false });
    await createNamespace(server, 'shop');
    await server.settle();
    expect(await namesOf(server, serviceAccounts, 'shop')).toStrictEqual([]);
    await using other = await createApiServer();
    await createNamespace(other, 'shop');
    await other.client.delete(resources.namespaces, { name: 'shop' });
    await other.settle();
    expect((await other.client.list(resources.namespaces)).items.map(({ metadata }) => metadata.name)).not.toContain('shop');
  });
});

describe('kube-root-ca.crt', () => {
  test('contains the authority of the server in every namespace, and is restored if it is changed', async () => {
    await using server = await createApiServer();
    await createNamespace(server, 'shop');
    await server.settle();
    expect(await namesOf(server, configMaps, 'shop')).toStrictEqual([]);
    const { ca } = await server.listen();
    await server.settle();
    const key = { namespace: 'shop', name: 'kube-root-ca.crt' };
    const published = await server.client.get(configMaps, key);
    expect(published).toMatchObject({ data: { 'ca.crt': ca } });
    await server.client.update(configMaps, { ...published, data: { 'ca.crt': 'other' } } as ApiObject);
    await server.settle();
    expect(await server.client.get(configMaps, key)).toMatchObject({ data: { 'ca.crt': ca } });
  });
});

describe('the Service default/kubernetes', () => {
  test('has the address of the server as its endpoint', async () => {
    await using server = await createApiServer();
    const { port } = await server.listen();
    const endpoints = await server.client.get(resources.endpoints, { namespace: 'default', name: 'kubernetes' });
    const ip = (endpoints['subsets'] as { addresses: { ip: string }[] }[])[0]?.addresses[0]?.ip;
    expect(endpoints['subsets']).toStrictEqual([{ addresses: [{ ip }], ports: [{ name: 'https', port, protocol: 'TCP' }] }]);
    const slice = await server.client.get(resources.endpointSlices, { namespace: 'default', name: 'kubernetes' });
    expect(slice).toMatchObject({
      metadata: { labels: { 'kubernetes.io/service-name': 'kubernetes' } },
      addressType: 'IPv4',
      endpoints: [{ addresses: [ip], conditions: { ready: true } }],
      ports: [{ name: 'https', port, protocol: 'TCP' }],
    });
  });

  test('has Endpoints and an EndpointSlice as a client that creates them', async () => {
    const options = { fieldManager: 'kube-apiserver' };
    await using server = await createApiServer({ managedFields: true });
    await server.listen();
    for (const resource of [resources.endpoints, resources.endpointSlices]) {
      const published = await server.client.get(resource, { namespace: 'default', name: 'kubernetes' });
      await server.client.delete(resource, { namespace: 'default', name: 'kubernetes' });
      const { apiVersion: _, kind: __, ...content } = published;
      const { name, namespace, labels } = published.metadata;
      const created = await server.client.create(resource, { ...content, metadata: { name, namespace, labels } } as ApiObject, options);
      expect(JSON.stringify(withoutIdentity(created))).toBe(JSON.stringify(withoutIdentity(published)));
    }
  });
});

const withoutIdentity = ({ metadata, ...content }: ApiObject): unknown => ({
  ...content,
  metadata: {
    ...metadata,
    uid: '',
    resourceVersion: '',
    creationTimestamp: '',
    managedFields: metadata.managedFields?.map((entry) => ({ ...(entry as object), time: '' })),
  },
});
