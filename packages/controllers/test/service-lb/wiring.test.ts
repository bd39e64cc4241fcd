import { cleanupFinalizer } from 'kube-endpoints/load-balancer';
import { resources } from 'kube-endpoints/port';
import { expect, test } from 'vitest';
import { balanced, createWorld, nodeNamed, stateOf } from './world.ts';

const nodes = [nodeNamed('n1')];
const made = { finalizer: true, ips: ['192.0.2.1'] };

test.each<[string, object, string[]]>([
  ['what a load balancer is made of', { spec: { sessionAffinity: 'ClientIP' } }, ['ensure web n1']],
  ['annotations', { metadata: { annotations: { size: 'large' } } }, ['ensure web n1']],
  ['labels', { metadata: { labels: { size: 'large' } } }, []],
  ['the selector', { spec: { selector: { app: 'other' } } }, []],
])('a change of %s', async (_, patch, calls) => {
  await using world = await createWorld({ objects: [...nodes, balanced('web')] });
  await world.start();
  world.cloud.asked();
  await world.change('web', patch);
  await world.pass();
  expect(world.cloud.asked()).toEqual(calls);
});

test('a Service that is new is seen to, one of another type is not', async () => {
  await using world = await createWorld({ objects: nodes });
  await world.start();
  world.cloud.asked();
  await world.client.create(resources.services, balanced('web'));
  await world.client.create(resources.services, balanced('plain', { type: 'NodePort' }));
  await world.pass();
  expect(world.cloud.asked()).toEqual(['ensure web n1']);
  expect(world.outcomes('plain')).toEqual([]);
  await world.delete('plain');
  await world.pass();
  expect(world.outcomes('plain')).toEqual([]);
});

test.each<[string, object, string | undefined]>([
  ['the finalizer', { metadata: { finalizers: null } }, undefined],
  ['the status', { status: { loadBalancer: { ingress: null } } }, 'status'],
])('%s that somebody took away is put back, once', async (_, patch, subresource) => {
  await using world = await createWorld({ objects: [...nodes, balanced('web')] });
  await world.start();
  const key = { namespace: 'shop', name: 'web' };
  await world.client.patch(resources.services, key, patch, { type: 'merge', ...(subresource && { subresource }) });
  await world.pass();
  expect(stateOf(await world.get('web'))).toEqual(made);
  expect((await world.get('web'))?.metadata.finalizers).toEqual([cleanupFinalizer]);
  expect(world.outcomes('web')).toEqual(['success 0', 'success 0']);
});
