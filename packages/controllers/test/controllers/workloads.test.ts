import { type ApiObject, type Resource, resources } from 'kube-endpoints/port';
import type { Pod } from 'kube-endpoints/types';
import { profileFor } from 'kube-endpoints/versions';
import { expect, test } from 'vitest';
import { createWorkloadAdapter } from '../../src/controllers/workloads.ts';
import { createControllersFixture, nodeFor, podFor, serviceFor } from './fixture.ts';

const machines: Resource = { group: 'example.com', version: 'v1', plural: 'machines', kind: 'Machine', namespaced: true };

const machine = (name: string, address: string, app = 'web'): ApiObject => ({
  apiVersion: 'example.com/v1',
  kind: 'Machine',
  metadata: { namespace: 'shop', name, labels: { app } },
  spec: { address },
});

/** Converts a machine to a ready pod; undefined without an address. */
const toPod = ({ spec }: ApiObject): Pod | undefined => {
  const { address } = spec as { readonly address?: string };
  if (!address) return undefined;
  return { status: { podIP: address, podIPs: [{ ip: address }], conditions: [{ type: 'Ready', status: 'True' }] } };
};

const workloads = { resource: machines, toPod };
const server = { resources: [{ resource: machines }] };
const targetsIn = (subsets: unknown): unknown =>
  (subsets as readonly { readonly addresses: readonly { readonly targetRef: object }[] }[]).flatMap(({ addresses }) =>
    addresses.map(({ targetRef }) => targetRef),
  );

test('custom workloads become endpoints like pods, and pods are not watched', async () => {
  const objects = [serviceFor('web'), machine('m1', '10.1.0.1'), machine('m2', ''), podFor('m1')];
  await using fixture = await createControllersFixture({ objects, server, workloads });
  await fixture.start();
  const { subsets } = (await fixture.get(resources.endpoints, 'web')) as ApiObject;
  expect(targetsIn(subsets)).toMatchObject([{ apiVersion: 'example.com/v1', kind: 'Machine', namespace: 'shop', name: 'm1' }]);
  const [slice] = (await fixture.client.list(resources.endpointSlices)).items;
  expect(slice).toMatchObject({ endpoints: [{ addresses: ['10.1.0.1'], targetRef: { kind: 'Machine', name: 'm1' } }] });
  expect(fixture.controllers.stats().objects).not.toHaveProperty('pods');
  fixture.takeWrites();
  await fixture.client.patch(machines, { namespace: 'shop', name: 'm2' }, { spec: { address: '10.1.0.2' } }, { type: 'merge' });
  await fixture.pass();
  expect(fixture.takeWrites().map(({ verb }) => verb)).toEqual(['update', 'update']);
  await fixture.stop();
  await fixture.start();
  expect(fixture.takeWrites()).toEqual([]);
});

test('custom workloads and pods of the same name are endpoints side by side', async () => {
  const objects = [nodeFor('n1'), serviceFor('web'), machine('m1', '10.1.0.1'), podFor('m1', { ip: '10.0.0.1' })];
  await using fixture = await createControllersFixture({ objects, server, workloads: { ...workloads, withPods: true } });
  await fixture.start();
  const { subsets } = (await fixture.get(resources.endpoints, 'web')) as ApiObject;
  expect(targetsIn(subsets)).toMatchObject([
    { kind: 'Pod', name: 'm1' },
    { kind: 'Machine', name: 'm1' },
  ]);
  await fixture.client.delete(machines, { namespace: 'shop', name: 'm1' });
  await fixture.pass();
  expect(targetsIn(((await fixture.get(resources.endpoints, 'web')) as ApiObject)['subsets'])).toMatchObject([{ kind: 'Pod', name: 'm1' }]);
});

test('toPod may change the address of pods or exclude them', async () => {
  const withSecondIP = (object: ApiObject): Pod | undefined => {
    const ip = object.metadata.annotations?.['example.com/second-ip'];
    return ip === undefined ? undefined : { ...(object as Pod), status: { ...(object as Pod).status, podIP: ip, podIPs: [{ ip }] } };
  };
  const annotatedPod = podFor('web-1');
  const objects = [
    nodeFor('n1'),
    serviceFor('web'),
    { ...annotatedPod, metadata: { ...annotatedPod.metadata, annotations: { 'example.com/second-ip': '10.9.0.1' } } },
    podFor('web-2', { ip: '10.0.0.2' }),
  ];
  await using fixture = await createControllersFixture({ objects, workloads: { resource: resources.pods, toPod: withSecondIP } });
  await fixture.start();
  expect(await fixture.get(resources.endpoints, 'web')).toMatchObject({
    subsets: [{ addresses: [{ ip: '10.9.0.1', targetRef: { kind: 'Pod', name: 'web-1' } }] }],
  });
});

test('a pod that toPod returns has the metadata of the object, except the labels of the pod; undefined excludes the object', () => {
  const workloadAdapter = createWorkloadAdapter({ resource: machines, toPod: ({ spec }) => (spec as { pod: Pod }).pod }, profileFor());
  const metadata = { namespace: 'shop', name: 'm', uid: 'u', resourceVersion: '3', labels: { a: 'b' } };
  expect(workloadAdapter.toPod({ metadata, spec: { pod: { metadata: { name: 'x', uid: 'y', labels: { c: 'd' } } } } })?.metadata).toEqual({
    ...metadata,
    name: 'machines.example.com:m',
    labels: { c: 'd' },
  });
  expect(workloadAdapter.toPod({ metadata, spec: {} })).toBeUndefined();
  expect(workloadAdapter.targetRef({ metadata: { namespace: 'shop', name: 'p', uid: 'v', resourceVersion: '4' } })).toEqual({
    kind: 'Pod',
    namespace: 'shop',
    name: 'p',
    uid: 'v',
  });
});

test.each<[string, (object: ApiObject) => unknown, RegExp]>([
  ['a promise', async () => Promise.reject(new Error('late')), /it returned a promise: make it synchronous/],
  ['a string', () => 'pod', /it returned "pod": return a pod or undefined/],
  ['a list', () => [], /it returned \[\]: return a pod/],
])('a toPod that returns %s is rejected', (_, returnValue, message) => {
  const workloadAdapter = createWorkloadAdapter({ resource: machines, toPod: returnValue as typeof toPod }, profileFor());
  expect(() => workloadAdapter.toPod({ metadata: { name: 'm' } })).toThrow(message);
});
