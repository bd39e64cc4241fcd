import { expect, test } from 'vitest';
import { createApiServer, LoadError, resources, systemClock } from '../../src/apiserver/index.ts';
import type { ApiObject } from '../../src/port/index.ts';

const pod: ApiObject = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { namespace: 'shop', name: 'web-1', uid: 'f7c1', creationTimestamp: '2025-01-02T03:04:05Z', resourceVersion: '77' },
  spec: { nodeName: 'n1', containers: [{ name: 'web', image: 'web:1' }] },
  status: { phase: 'Running', podIP: '10.0.0.7', podIPs: [{ ip: '10.0.0.7' }], conditions: [{ type: 'Ready', status: 'True' }] },
};

test('objects are stored as they are given: uid, time of creation and status', async () => {
  await using server = await createApiServer({ objects: [pod] });
  const stored = await server.client.get(resources.pods, { namespace: 'shop', name: 'web-1' });
  expect(stored.metadata).toMatchObject({ uid: 'f7c1', creationTimestamp: '2025-01-02T03:04:05Z' });
  expect(stored.metadata.resourceVersion).not.toBe('77');
  expect(stored['status']).toMatchObject({ phase: 'Running', podIP: '10.0.0.7', conditions: [{ type: 'Ready', status: 'True' }] });
});

test('a pod that was on its way out is so again, and so is what finalizers hold back', async () => {
  const leaving = { deletionTimestamp: '2025-01-02T03:04:05Z' };
  const held: ApiObject = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { namespace: 'shop', name: 'held', finalizers: ['example.com/hold'], ...leaving },
  };
  const ending = { ...pod, metadata: { ...pod.metadata, ...leaving, deletionGracePeriodSeconds: 60 } };
  await using server = await createApiServer({ objects: [ending, held], clock: { ...systemClock, now: () => Date.UTC(2026, 0, 1) } });
  const stored = await server.client.get(resources.pods, { namespace: 'shop', name: 'web-1' });
  expect(stored.metadata).toMatchObject({ deletionTimestamp: '2026-01-01T00:01:00Z', deletionGracePeriodSeconds: 60 });
  const { items } = await server.client.list({ ...resources.pods, plural: 'configmaps', kind: 'ConfigMap' }, { namespace: 'shop' });
  expect(items.map(({ metadata }) => [metadata.name, metadata.deletionTimestamp])).toContainEqual(['held', '2026-01-01T00:00:00Z']);
});

test('namespaces are made where they are missing, and taken as they are where they are given later', async () => {
  const namespace: ApiObject = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop', labels: { team: 'a' } } };
  await using server = await createApiServer({ objects: [pod, namespace] });
  expect((await server.client.get(resources.namespaces, { name: 'shop' })).metadata.labels).toMatchObject({ team: 'a' });
});

test('a Service that asks for an address gets it, whoever came first', async () => {
  const service = (name: string, spec: object): ApiObject => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name },
    spec: { ports: [{ port: 80 }], ...spec },
  });
  const ranges = { serviceClusterIPRanges: ['10.1.0.0/29'] };
  const objects = [...['a', 'b', 'c', 'd'].map((name) => service(name, {})), service('wanted', { clusterIP: '10.1.0.4' })];
  await using server = await createApiServer({ ...ranges, objects });
  const { items } = await server.client.list(resources.services, { namespace: 'default' });
  expect(new Set(items.map(({ spec }) => (spec as { clusterIP: string }).clusterIP)).size).toBe(6);
});

test.each<[string, ApiObject, RegExp]>([
  [
    'no such kind',
    { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' } },
    /^Deployment \(apps\/v1\) web: no resource of this kind/,
  ],
  [
    'refused by its checks',
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'No' } },
    /^ConfigMap \(v1\) No: ConfigMap "No" is invalid: metadata\.name/,
  ],
  ['without a kind', { metadata: { name: 'x' } }, /^object without a kind \(no apiVersion\) x: /],
  ['given twice', { ...pod, metadata: { ...pod.metadata } }, /^Pod \(v1\) shop\/web-1: pods "web-1" already exists$/],
])('an object that cannot be stored is named: %s', async (_, object, message) => {
  await using server = await createApiServer({ objects: [pod] });
  const failure: unknown = await server.load([object]).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(LoadError);
  expect((failure as LoadError).message).toMatch(message);
  expect((failure as LoadError).object).toBe(object);
});

test('a definition is served before its objects are stored, whatever their order', async () => {
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
