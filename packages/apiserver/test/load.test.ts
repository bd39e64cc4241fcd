import { type ApiObject, resources } from 'kube-endpoints/port';
import { expect, test } from 'vitest';
import { createApiServer, LoadError } from '../src/index.ts';
import { systemClock } from '../src/store/index.ts';

const pod: ApiObject = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { namespace: 'shop', name: 'web-1', uid: 'f7c1', creationTimestamp: '2025-01-02T03:04:05Z', resourceVersion: '77' },
  spec: { nodeName: 'n1', containers: [{ name: 'web', image: 'web:1' }] },
  status: { phase: 'Running', podIP: '10.0.0.7', podIPs: [{ ip: '10.0.0.7' }], conditions: [{ type: 'Ready', status: 'True' }] },
};

test('load keeps uid, creationTimestamp and status', async () => {
  await using server = await createApiServer({ objects: [pod] });
  const stored = await server.client.get(resources.pods, { namespace: 'shop', name: 'web-1' });
  expect(stored.metadata).toMatchObject({ uid: 'f7c1', creationTimestamp: '2025-01-02T03:04:05Z' });
  expect(stored.metadata.resourceVersion).not.toBe('77');
  expect(stored['status']).toMatchObject({ phase: 'Running', podIP: '10.0.0.7', conditions: [{ type: 'Ready', status: 'True' }] });
});

test('load restores the pending deletion of a pod and of an object with finalizers', async () => {
  const deletion = { deletionTimestamp: '2025-01-02T03:04:05Z' };
  const configMapWithFinalizer: ApiObject = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { namespace: 'shop', name: 'held', finalizers: ['example.com/hold'], ...deletion },
  };
  const terminatingPod = { ...pod, metadata: { ...pod.metadata, ...deletion, deletionGracePeriodSeconds: 60 } };
  await using server = await createApiServer({
    objects: [terminatingPod, configMapWithFinalizer],
    clock: { ...systemClock, now: () => Date.UTC(2026, 0, 1) },
  });
  const stored = await server.client.get(resources.pods, { namespace: 'shop', name: 'web-1' });
  expect(stored.metadata).toMatchObject({ deletionTimestamp: '2026-01-01T00:01:00Z', deletionGracePeriodSeconds: 60 });
  const { items } = await server.client.list({ ...resources.pods, plural: 'configmaps', kind: 'ConfigMap' }, { namespace: 'shop' });
  expect(items.map(({ metadata }) => [metadata.name, metadata.deletionTimestamp])).toContainEqual(['held', '2026-01-01T00:00:00Z']);
});

test('load creates missing namespaces and merges the labels of a Namespace that is loaded later', async () => {
  const namespace: ApiObject = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop', labels: { team: 'a' } } };
  await using server = await createApiServer({ objects: [pod, namespace] });
  expect((await server.client.get(resources.namespaces, { name: 'shop' })).metadata.labels).toMatchObject({ team: 'a' });
});

test('load reserves requested cluster IPs before it allocates others', async () => {
  const service = (name: string, spec: object): ApiObject => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name },
    spec: { ports: [{ port: 80 }], ...spec },
  });
  const ranges = { serviceClusterIPRanges: ['10.1.0.0/29'] };
  const objects = [...['a', 'b', 'c', 'd'].map((name) => service(name, {})), service('requested', { clusterIP: '10.1.0.4' })];
  await using server = await createApiServer({ ...ranges, objects });
  const { items } = await server.client.list(resources.services, { namespace: 'default' });
  expect(new Set(items.map(({ spec }) => (spec as { clusterIP: string }).clusterIP)).size).toBe(6); // With default/kubernetes.
});

test.each<[string, ApiObject, RegExp]>([
  [
    'an unserved kind',
    { apiVersion: 'example.com/v1', kind: 'Gadget', metadata: { name: 'web' } },
    /^Gadget \(example\.com\/v1\) web: no resource of this kind/,
  ],
  [
    'an invalid object',
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'No' } },
    /^ConfigMap \(v1\) No: ConfigMap "No" is invalid: metadata\.name/,
  ],
  ['an object without a kind', { metadata: { name: 'x' } }, /^object without a kind \(no apiVersion\) x: /],
  ['an existing object', { ...pod, metadata: { ...pod.metadata } }, /^Pod \(v1\) shop\/web-1: pods "web-1" already exists$/],
])('load names an object that it cannot store: %s', async (_, object, message) => {
  await using server = await createApiServer({ objects: [pod] });
  const failure: unknown = await server.load([object]).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(LoadError);
  expect((failure as LoadError).message).toMatch(message);
  expect((failure as LoadError).object).toBe(object);
});

test('load serves a CustomResourceDefinition before it loads its objects, whatever their order', async () => {
  const widget: ApiObject = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' }, spec: { size: 3 } };
  const definition: ApiObject = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      names: { plural: 'widgets', kind: 'Widget' },
      scope: 'Namespaced',
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
    },
  };
  await using server = await createApiServer({ objects: [widget, definition] });
  const widgets = { group: 'example.com', version: 'v1', plural: 'widgets', kind: 'Widget', namespaced: true };
  expect(await server.client.get(widgets, { namespace: 'default', name: 'w' })).toMatchObject({ spec: { size: 3, colour: 'blue' } });
});

const schema = {
  type: 'object',
  properties: { spec: { type: 'object', properties: { size: { type: 'integer' }, colour: { type: 'string', default: 'blue' } } } },
};

test('load reserves requested node ports before it allocates others', async () => {
  const service = (name: string, ports: object[]): ApiObject => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name },
    spec: { type: 'NodePort', ports },
  });
  const objects = [
    ...['a', 'b', 'c'].map((name) => service(name, [{ port: 80 }])),
    ...[30000, 30001, 30002].map((nodePort) => service(`requested-${nodePort}`, [{ port: 80, nodePort }])),
  ];
  await using server = await createApiServer({ serviceNodePortRange: '30000-30005', objects });
  const { items } = await server.client.list(resources.services, { namespace: 'default' });
  const ports = items.flatMap(({ spec }) => (spec as { ports: { nodePort?: number }[] }).ports.flatMap(({ nodePort }) => nodePort ?? []));
  expect(ports.sort()).toEqual([30000, 30001, 30002, 30003, 30004, 30005]);
});

test('load adds labels and annotations to existing objects', async () => {
  const namespace = (name: string): ApiObject => ({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name, labels: { team: 'a' }, annotations: { note: 'b' } },
  });
  await using server = await createApiServer({ objects: [namespace('default'), pod] });
  await server.load([namespace('shop')]);
  for (const name of ['default', 'shop']) {
    const { metadata } = await server.client.get(resources.namespaces, { name });
    expect(metadata).toMatchObject({ labels: { team: 'a', 'kubernetes.io/metadata.name': name }, annotations: { note: 'b' } });
  }
});

test('load records no managed fields', async () => {
  await using server = await createApiServer({ objects: [pod], managedFields: true });
  const loaded = [
    await server.client.get(resources.pods, { namespace: 'shop', name: 'web-1' }),
    await server.client.get(resources.namespaces, { name: 'shop' }),
  ];
  expect(loaded.map(({ metadata }) => metadata['managedFields'])).toEqual([undefined, undefined]);
});

test('load passes warnings of unknown fields to warn', async () => {
  await using server = await createApiServer();
  const warnings: unknown[] = [];
  const misspelled: ApiObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' }, datta: { a: 'b' } };
  await server.load([misspelled], { warn: (warning, object) => void warnings.push([warning, object]) });
  expect(warnings).toEqual([['unknown field "datta"', misspelled]]);
});

test('load passes objects of unserved kinds to skip if it is set', async () => {
  await using server = await createApiServer();
  const gadget: ApiObject = { apiVersion: 'example.com/v1', kind: 'Gadget', metadata: { name: 'web' } };
  const skipped: ApiObject[] = [];
  await server.load([gadget, pod], { skip: (object) => void skipped.push(object) });
  expect(skipped).toEqual([gadget]);
  expect((await server.client.list(resources.pods, { namespace: 'shop' })).items).toHaveLength(1);
});

test.each<[string, unknown, string]>([
  ['null', null, 'object without a kind (no apiVersion) : not an object: give apiVersion, kind and metadata'],
  ['no metadata', { kind: 'Pod', apiVersion: 'v1' }, 'Pod (v1) : an object without metadata: give metadata.name'],
  [
    'a list',
    { kind: 'List', apiVersion: 'v1', metadata: {}, items: [pod] },
    'List (v1) : no resource of this kind and version is served: give its items',
  ],
])('load refuses an invalid object: %s', async (_, object, message) => {
  await using server = await createApiServer();
  await expect(server.load([pod, object as ApiObject])).rejects.toThrow(message);
});
