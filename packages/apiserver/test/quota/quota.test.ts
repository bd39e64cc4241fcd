import { type ApiError, type ApiObject, type Resource, resources } from 'kube-endpoints/port';
import { describe, expect, test } from 'vitest';
import { type ApiServer, createApiServer } from '../../src/index.ts';
import { resourceQuotas } from '../../src/quota/index.ts';

const configMaps: Resource = { group: '', version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true };

async function createQuota(server: ApiServer, hard: object, spec: object = {}): Promise<void> {
  await server.client.create(resourceQuotas, { metadata: { name: 'limit', namespace: 'default' }, spec: { hard, ...spec } } as ApiObject);
  await server.settle();
}

const statusOf = async (server: ApiServer): Promise<unknown> => {
  await server.settle();
  return (await server.client.get(resourceQuotas, { namespace: 'default', name: 'limit' }))['status'];
};

const createPod = (server: ApiServer, name: string, requests: object = {}, spec: object = {}): Promise<ApiObject> =>
  server.client.create(resources.pods, {
    metadata: { name, namespace: 'default' },
    spec: { containers: [{ name: 'a', image: 'a:1', resources: { requests } }], ...spec },
  } as ApiObject);

const messageOf = (promise: Promise<unknown>): Promise<string | undefined> =>
  promise.then(
    () => undefined,
    (error: ApiError) => error.status.message,
  );

describe('a ResourceQuota', () => {
  test('counts the objects of its namespace, and refuses those above the limit', async () => {
    await using server = await createApiServer();
    await createPod(server, 'old', { memory: '1Gi' });
    await createQuota(server, { pods: '2', 'requests.memory': '3Gi' });
    expect(await statusOf(server)).toStrictEqual({
      hard: { pods: '2', 'requests.memory': '3Gi' },
      used: { pods: '1', 'requests.memory': '1Gi' },
    });
    await createPod(server, 'new', { memory: '512Mi' });
    expect((await server.client.get(resourceQuotas, { namespace: 'default', name: 'limit' }))['status']).toMatchObject({
      used: { pods: '2', 'requests.memory': '1536Mi' },
    });
    expect(await messageOf(createPod(server, 'third', { memory: '2Gi' }))).toBe(
      'pods "third" is forbidden: exceeded quota: limit, requested: pods=1,requests.memory=2Gi, used: pods=2,requests.memory=1536Mi, limited: pods=2,requests.memory=3Gi',
    );
  });

  test('is freed by a deletion, and not charged by a dry run', async () => {
    await using server = await createApiServer();
    await createQuota(server, { configmaps: '2' });
    await server.client.create(configMaps, { metadata: { name: 'a', namespace: 'default' } });
    // kube-root-ca.crt exists only after the server listens.
    expect(await statusOf(server)).toMatchObject({ used: { configmaps: '1' } });
    await server.client.create(configMaps, { metadata: { name: 'b', namespace: 'default' } }, { dryRun: true });
    expect(await statusOf(server)).toMatchObject({ used: { configmaps: '1' } });
    await server.client.delete(configMaps, { namespace: 'default', name: 'a' });
    expect(await statusOf(server)).toMatchObject({ used: { configmaps: '0' } });
  });

  test.each([
    ['NotTerminating', '0'],
    ['Terminating', '1'],
  ])('of scope %s follows a pod that gets a deadline', async (scope, pods) => {
    await using server = await createApiServer();
    await createQuota(server, { pods: '2' }, { scopes: [scope] });
    const pod = await createPod(server, 'web');
    await server.client.update(resources.pods, { ...pod, spec: { ...(pod['spec'] as object), activeDeadlineSeconds: 300 } } as ApiObject);
    expect(await statusOf(server)).toMatchObject({ used: { pods } });
  });

  test('requires every container to state the amounts that it limits', async () => {
    await using server = await createApiServer();
    await createQuota(server, { 'limits.cpu': '1', 'requests.memory': '1Gi' });
    expect(await messageOf(createPod(server, 'web'))).toBe(
      'pods "web" is forbidden: failed quota: limit: must specify limits.cpu for: a; requests.memory for: a',
    );
  });

  test.each([
    [['BestEffort'], {}, {}, '1'],
    [['NotBestEffort'], {}, {}, '0'],
    [['NotBestEffort'], { cpu: '1' }, {}, '1'],
    [['Terminating'], {}, { activeDeadlineSeconds: 5 }, '1'],
    [['NotTerminating'], {}, { activeDeadlineSeconds: 5 }, '0'],
    [['BestEffort', 'NotTerminating'], {}, {}, '1'],
  ])('with the scopes %j counts a pod of these scopes only', async (scopes, requests, spec, used) => {
    await using server = await createApiServer();
    await createQuota(server, { pods: '5' }, { scopes });
    await createPod(server, 'web', requests, spec);
    expect(await statusOf(server)).toMatchObject({ used: { pods: used } });
  });

  test('counts node ports and load balancers of Services, and storage by class', async () => {
    await using server = await createApiServer();
    await createQuota(server, {
      services: '9',
      'services.nodeports': '9',
      'count/services': '9',
      'requests.storage': '9Gi',
      'fast.storageclass.storage.k8s.io/requests.storage': '9Gi',
    });
    await server.client.create(resources.services, {
      metadata: { name: 'web', namespace: 'default' },
      spec: {
        type: 'NodePort',
        ports: [
          { name: 'a', port: 1 },
          { name: 'b', port: 2 },
        ],
      },
    } as ApiObject);
    const claims: Resource = {
      group: '',
      version: 'v1',
      plural: 'persistentvolumeclaims',
      kind: 'PersistentVolumeClaim',
      namespaced: true,
    };
    await server.client.create(claims, {
      metadata: { name: 'data', namespace: 'default' },
      spec: { storageClassName: 'fast', accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '2Gi' } } },
    } as ApiObject);
    // The Service default/kubernetes is counted, too.
    expect(await statusOf(server)).toMatchObject({
      used: {
        services: '2',
        'services.nodeports': '2',
        'count/services': '2',
        'requests.storage': '2Gi',
        'fast.storageclass.storage.k8s.io/requests.storage': '2Gi',
      },
    });
  });
});
