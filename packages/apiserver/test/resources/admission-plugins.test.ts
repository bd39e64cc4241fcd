import { type ApiError, type ApiObject, type Resource, resources } from 'kube-endpoints/port';
import { describe, expect, test } from 'vitest';
import { type ApiServer, createApiServer } from '../../src/index.ts';
import { builtInResources } from '../../src/registry/catalog.ts';

const byKind = new Map(builtInResources().map(({ resource }) => [resource.kind, resource]));

async function create(server: ApiServer, kind: string, name: string, fields: object, metadata: object = {}): Promise<ApiObject> {
  const resource = byKind.get(kind) as Resource;
  const { group, version, namespaced } = resource;
  const apiVersion = group === '' ? version : `${group}/${version}`;
  const object = { apiVersion, kind, metadata: { name, ...(namespaced && { namespace: 'default' }), ...metadata }, ...fields };
  return server.client.create(resource, object as ApiObject);
}

const createPod = (server: ApiServer, requests: object, spec: object = {}): Promise<ApiObject> =>
  create(server, 'Pod', 'web', { spec: { containers: [{ name: 'a', image: 'a:1', resources: requests }], ...spec } });

const messageOf = (promise: Promise<unknown>): Promise<string | undefined> =>
  promise.then(
    () => undefined,
    (error: ApiError) => error.status.message,
  );

describe('LimitRange', () => {
  const limit = (item: object) => ({ spec: { limits: [{ type: 'Container', ...item }] } });

  test('sets the defaults of containers and says so in an annotation', async () => {
    await using server = await createApiServer();
    await create(server, 'LimitRange', 'limits', limit({ default: { memory: '2Gi', cpu: '1' }, defaultRequest: { cpu: '100m' } }));
    const { metadata, spec } = await createPod(server, { requests: { memory: '1Gi' } });
    expect(metadata.annotations).toStrictEqual({
      'kubernetes.io/limit-ranger': 'LimitRanger plugin set: cpu request for container a; cpu, memory limit for container a',
    });
    expect((spec as { containers: { resources: unknown }[] }).containers[0]?.resources).toStrictEqual({
      limits: { cpu: '1', memory: '2Gi' },
      requests: { cpu: '100m', memory: '1Gi' },
    });
  });

  test.each([
    ['a limit above the maximum', { max: { cpu: '1' } }, { limits: { cpu: '2' } }, 'maximum cpu usage per Container is 1, but limit is 2'],
    ['no request', { min: { 'ephemeral-storage': '1Gi' }, max: {} }, {}, undefined],
    [
      'a request below the minimum',
      { min: { memory: '1Gi' } },
      { requests: { memory: '1Mi' } },
      'minimum memory usage per Container is 1Gi, but request is 1Mi',
    ],
    [
      'a ratio above the maximum',
      { maxLimitRequestRatio: { cpu: '2' } },
      { requests: { cpu: '1' }, limits: { cpu: '3' } },
      'cpu max limit to request ratio per Container is 2, but provided ratio is 3.000000',
    ],
  ])('answers %s as kube-apiserver does', async (_, item, requests, message) => {
    await using server = await createApiServer();
    await create(server, 'LimitRange', 'limits', limit(item));
    expect(await messageOf(createPod(server, requests))).toBe(message && `pods "web" is forbidden: ${message}`);
  });

  test('limits the sum of a pod and the storage of claims', async () => {
    await using server = await createApiServer();
    const limits = [
      { type: 'Pod', max: { memory: '1Gi' } },
      { type: 'PersistentVolumeClaim', min: { storage: '2Gi' } },
    ];
    await create(server, 'LimitRange', 'limits', { spec: { limits } });
    expect(await messageOf(createPod(server, { limits: { memory: '2Gi' } }))).toBe(
      'pods "web" is forbidden: maximum memory usage per Pod is 1Gi, but limit is 2Gi',
    );
    const claim = { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } };
    expect(await messageOf(create(server, 'PersistentVolumeClaim', 'data', claim))).toBe(
      'persistentvolumeclaims "data" is forbidden: minimum storage usage per PersistentVolumeClaim is 2Gi, but request is 1Gi',
    );
  });
});

describe('PriorityClass', () => {
  test('gives pods its value and policy', async () => {
    await using server = await createApiServer();
    await create(server, 'PriorityClass', 'high', { value: 1000, preemptionPolicy: 'Never' });
    expect((await createPod(server, {}, { priorityClassName: 'high' }))['spec']).toMatchObject({
      priority: 1000,
      preemptionPolicy: 'Never',
    });
  });

  test('that is the default applies to pods without one, and only one can be', async () => {
    await using server = await createApiServer();
    await create(server, 'PriorityClass', 'usual', { value: 5, globalDefault: true });
    expect((await createPod(server, {}))['spec']).toMatchObject({ priority: 5, priorityClassName: 'usual' });
    expect(await messageOf(create(server, 'PriorityClass', 'other', { value: 6, globalDefault: true }))).toBe(
      'priorityclasses.scheduling.k8s.io "other" is forbidden: PriorityClass usual is already marked as default. Only one default can exist',
    );
  });
});

test('a RuntimeClass gives pods its overhead and scheduling', async () => {
  await using server = await createApiServer();
  const scheduling = { nodeSelector: { sandbox: 'yes' }, tolerations: [{ key: 'sandbox', operator: 'Exists' }] };
  await create(server, 'RuntimeClass', 'gvisor', { handler: 'runsc', overhead: { podFixed: { memory: '64Mi' } }, scheduling });
  const { spec } = await createPod(server, {}, { runtimeClassName: 'gvisor' });
  expect(spec).toMatchObject({ overhead: { memory: '64Mi' }, nodeSelector: { sandbox: 'yes' } });
  expect((spec as { tolerations: object[] }).tolerations).toContainEqual({ key: 'sandbox', operator: 'Exists' });
  await server.client.delete(resources.pods, { namespace: 'default', name: 'web' });
  expect(await messageOf(createPod(server, {}, { runtimeClassName: 'gvisor', nodeSelector: { sandbox: 'no' } }))).toBe(
    'pods "web" is forbidden: conflict: runtimeClass.scheduling.nodeSelector[sandbox] = yes; pod.spec.nodeSelector[sandbox] = no',
  );
});

test('the default StorageClass and IngressClass apply to objects without one', async () => {
  await using server = await createApiServer();
  const isDefault = (group: string) => ({ annotations: { [`${group}.kubernetes.io/is-default-class`]: 'true' } });
  await create(server, 'StorageClass', 'fast', { provisioner: 'example.com/p' }, isDefault('storageclass'));
  await create(server, 'IngressClass', 'nginx', { spec: { controller: 'example.com/c' } }, isDefault('ingressclass'));
  const claim = { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } };
  expect((await create(server, 'PersistentVolumeClaim', 'data', claim))['spec']).toMatchObject({ storageClassName: 'fast' });
  const ingress = { spec: { defaultBackend: { service: { name: 'web', port: { number: 80 } } } } };
  expect((await create(server, 'Ingress', 'web', ingress))['spec']).toMatchObject({ ingressClassName: 'nginx' });
});
