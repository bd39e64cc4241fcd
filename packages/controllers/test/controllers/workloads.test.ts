import { type ApiObject, type Resource, resources } from 'kube-endpoints/port';
import type { Pod } from 'kube-endpoints/types';
import { profileFor } from 'kube-endpoints/versions';
import { expect, test } from 'vitest';
import { createWorkloadAdapter } from '../../src/controllers/workloads.ts';
import { createWorld, nodeFor, podFor, serviceFor } from './world.ts';

const machines: Resource = { group: 'example.com', version: 'v1', plural: 'machines', kind: 'Machine', namespaced: true };

const machine = (name: string, address: string, app = 'web'): ApiObject => ({
  apiVersion: 'example.com/v1',
  kind: 'Machine',
  metadata: { namespace: 'shop', name, labels: { app } },
  spec: { address },
});

/** Ready once it has an address. */
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
  await using world = await createWorld({ objects, server, workloads });
  await world.start();
  const { subsets } = (await world.get(resources.endpoints, 'web')) as ApiObject;
  expect(targetsIn(subsets)).toMatchObject([{ apiVersion: 'example.com/v1', kind: 'Machine', namespace: 'shop', name: 'm1' }]);
  const [slice] = (await world.client.list(resources.endpointSlices)).items;
  expect(slice).toMatchObject({ endpoints: [{ addresses: ['10.1.0.1'], targetRef: { kind: 'Machine', name: 'm1' } }] });
  expect(world.controllers.stats().objects).not.toHaveProperty('pods');
  world.sent();
  await world.client.patch(machines, { namespace: 'shop', name: 'm2' }, { spec: { address: '10.1.0.2' } }, { type: 'merge' });
  await world.pass();
  expect(world.sent().map(({ verb }) => verb)).toEqual(['update', 'update']);
  await world.stop();
  await world.start();
  expect(world.sent()).toEqual([]);
});

test('custom workloads and pods of the same name are endpoints side by side', async () => {
  const objects = [nodeFor('n1'), serviceFor('web'), machine('m1', '10.1.0.1'), podFor('m1', { ip: '10.0.0.1' })];
  await using world = await createWorld({ objects, server, workloads: { ...workloads, withPods: true } });
  await world.start();
  const { subsets } = (await world.get(resources.endpoints, 'web')) as ApiObject;
  expect(targetsIn(subsets)).toMatchObject([
    { kind: 'Pod', name: 'm1' },
    { kind: 'Machine', name: 'm1' },
  ]);
  await world.client.delete(machines, { namespace: 'shop', name: 'm1' });
  await world.pass();
  expect(targetsIn(((await world.get(resources.endpoints, 'web')) as ApiObject)['subsets'])).toMatchObject([{ kind: 'Pod', name: 'm1' }]);
});

test('toPod may change the address of pods or exclude them', async () => {
  const second = (object: ApiObject): Pod | undefined => {
    const ip = object.metadata.annotations?.['example.com/second-ip'];
    return ip === undefined ? undefined : { ...(object as Pod), status: { ...(object as Pod).status, podIP: ip, podIPs: [{ ip }] } };
  };
  const annotated = podFor('web-1');
  const objects = [
    nodeFor('n1'),
    serviceFor('web'),
    { ...annotated, metadata: { ...annotated.metadata, annotations: { 'example.com/second-ip': '10.9.0.1' } } },
    podFor('web-2', { ip: '10.0.0.2' }),
  ];
  await using world = await createWorld({ objects, workloads: { resource: resources.pods, toPod: second } });
  await world.start();
  expect(await world.get(resources.endpoints, 'web')).toMatchObject({
    subsets: [{ addresses: [{ ip: '10.9.0.1', targetRef: { kind: 'Pod', name: 'web-1' } }] }],
  });
});

test('toPod results keep the metadata of the object except labels, and undefined excludes it', () => {
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
  ['a text', () => 'pod', /it returned "pod": return a pod or undefined/],
  ['a list', () => [], /it returned \[\]: return a pod/],
])('toPod that returns %s is rejected', (_, give, message) => {
  const workloadAdapter = createWorkloadAdapter({ resource: machines, toPod: give as typeof toPod }, profileFor());
  expect(() => workloadAdapter.toPod({ metadata: { name: 'm' } })).toThrow(message);
});
