import { type BalancerReference, CloudError } from 'kube-endpoints/load-balancer';
import { resources } from 'kube-endpoints/port';
import { expect, test } from 'vitest';
import { createLead } from '../controllers/world.ts';
import { createCloud, type TestCloud } from './cloud.ts';
import { balanced, createWorld, nodeNamed, stateOf, type World } from './world.ts';

const nodes = [nodeNamed('n1')];

/** A cloud with load balancers of an earlier process. */
function cloudWith(...references: readonly BalancerReference[]): TestCloud {
  const cloud = createCloud();
  for (const { namespace, name, uid } of references) cloud.held.set(uid, { service: { metadata: { namespace, name, uid } }, nodes: [] });
  return cloud;
}

const left = { namespace: 'shop', name: 'left', uid: 'u1' };
const orphansOf = ({ runtimeEvents: events }: World): unknown[] =>
  events.flatMap((each) => (each.kind === 'orphan' ? [`${each.key} ${each.uid} ${each.outcome}`] : []));

test('deletes a load balancer whose Service was deleted while no controller was running', async () => {
  await using world = await createWorld({ objects: [...nodes, balanced('web')], cloud: cloudWith(left) });
  await world.start();
  expect(world.cloud.takeCalls()).toEqual(['list ', 'delete left', 'ensure web n1']);
  expect(orphansOf(world)).toEqual(['shop/left u1 deleted']);
  expect(world.cloud.held.size).toBe(1);
});

test('deletes the load balancer of an earlier Service with the same name', async () => {
  const cloud = cloudWith({ ...left, name: 'web' });
  await using world = await createWorld({ objects: [...nodes, balanced('web')], cloud });
  await world.start();
  expect([...cloud.held.keys()]).toEqual([(await world.get('web'))?.metadata.uid]);
});

test('sweeps orphans every ten minutes and when the replica gains ownership', async () => {
  const ownership = createLead(false);
  await using world = await createWorld({ objects: nodes, ownership, cloud: cloudWith(left) });
  await world.start();
  await world.pass(1000);
  expect(world.cloud.held.size).toBe(1);
  ownership.lead(true);
  await world.pass(1000);
  expect(world.cloud.held.size).toBe(0);
  world.cloud.held.set('u2', { service: { metadata: { ...left, uid: 'u2' } }, nodes: [] });
  await world.pass(590_000);
  expect(world.cloud.held.size).toBe(1);
  await world.pass(10_000);
  expect(world.cloud.held.size).toBe(0);
});

test('keeps a load balancer if the API server still has its Service, even if the cache does not', async () => {
  const cloud = createCloud();
  await using world = await createWorld({
    objects: [...nodes, balanced('web')],
    cloud,
    through: (port) => ({
      ...port,
      async *watch(resource, options) {
        for await (const event of port.watch(resource, options)) if (event.object.metadata.name !== 'web') yield event;
      },
    }),
  });
  const uid = (await world.get('web'))?.metadata.uid ?? '';
  cloud.held.set(uid, { service: { metadata: { namespace: 'shop', name: 'web', uid } }, nodes: [] });
  await world.start();
  expect(orphansOf(world)).toEqual([`shop/web ${uid} refuted`]);
  expect(cloud.held.size).toBe(1);
});

test('retries a failed deletion of an orphan', async () => {
  const cloud = cloudWith(left);
  let refusals = 2;
  cloud.intercept = ({ call }) => (call === 'delete' && refusals-- > 0 ? Promise.reject(new CloudError('Failed', 'busy')) : undefined);
  await using world = await createWorld({ objects: nodes, cloud });
  await world.start();
  expect(world.controller.idle).toBe(false);
  await world.pass(16_000);
  expect(orphansOf(world)).toEqual(['shop/left u1 retried', 'shop/left u1 retried', 'shop/left u1 deleted']);
  expect(world.controller.idle).toBe(true);
});

test('deletes the load balancer of a Service that has another type', async () => {
  await using world = await createWorld({ objects: [...nodes, balanced('web', { type: 'ClusterIP' })] });
  const uid = (await world.get('web'))?.metadata.uid ?? '';
  world.cloud.held.set(uid, { service: { metadata: { namespace: 'shop', name: 'web', uid } }, nodes: [] });
  await world.start();
  expect(world.cloud.takeCalls()).toEqual(['list ', 'delete web']);
});

test('ignores load balancers of other namespaces', async () => {
  const cloud = cloudWith({ ...left, namespace: 'other' });
  await using world = await createWorld({ objects: nodes, cloud, namespace: 'shop' });
  await world.start();
  await world.pass(600_000);
  expect(cloud.held.size).toBe(1);
});

test('cleans up by a sync if the Service has another class but still the finalizer', async () => {
  const cloud = createCloud();
  const finalizers = ['service.kubernetes.io/load-balancer-cleanup'];
  const objects = [...nodes, balanced('web', { loadBalancerClass: 'example.com/other' }, { finalizers })];
  await using world = await createWorld({ objects, cloud });
  await world.start();
  const uid = (await world.get('web'))?.metadata.uid ?? '';
  cloud.held.set(uid, { service: { metadata: { namespace: 'shop', name: 'web', uid } }, nodes: [] });
  await world.pass(600_000);
  expect(cloud.held.size).toBe(0);
  expect(stateOf(await world.get('web'))).toEqual({ finalizer: false, ips: [] });
});

test('cleans up again if a load balancer appears after its Service got another class', async () => {
  await using world = await createWorld({ objects: [...nodes, balanced('web')] });
  await world.start();
  await world.change('web', { spec: { type: 'ClusterIP' } });
  await world.change('web', { spec: { type: 'LoadBalancer', loadBalancerClass: 'example.com/other' } });
  await world.pass();
  expect(world.cloud.held.size).toBe(0);
  const { uid = '' } = (await world.get('web'))?.metadata ?? {};
  world.cloud.held.set(uid, { service: { metadata: { namespace: 'shop', name: 'web', uid } }, nodes: [] });
  await world.change('web', { metadata: { finalizers: ['service.kubernetes.io/load-balancer-cleanup'] } });
  await world.pass(600_000);
  expect(world.cloud.held.size).toBe(0);
  expect(stateOf(await world.get('web'))).toEqual({ finalizer: false, ips: [] });
});

test('deletes the load balancer of a Service with another class but keeps the status that the other controller wrote', async () => {
  const web = balanced('web', { loadBalancerClass: 'example.com/other' });
  await using world = await createWorld({ objects: [...nodes, web] });
  const theirs = { status: { loadBalancer: { ingress: [{ ip: '203.0.113.9' }] } } };
  const key = { namespace: 'shop', name: 'web' };
  await world.client.patch(resources.services, key, theirs, { type: 'merge', subresource: 'status' });
  const uid = (await world.get('web'))?.metadata.uid ?? '';
  world.cloud.held.set(uid, { service: { metadata: { ...key, uid } }, nodes: [] });
  await world.start();
  expect(world.cloud.held.size).toBe(0);
  expect(stateOf(await world.get('web'))).toEqual({ finalizer: false, ips: ['203.0.113.9'] });
});

test.each([
  ['no list', { left }],
  ['something that is no reference', [{ namespace: 'shop', name: '', uid: 'u1' }]],
  ['nothing', [null]],
])('a cloud that lists %s is retried with back-off', async (_, answer) => {
  const cloud = cloudWith(left);
  cloud.intercept = ({ call }) => (call === 'list' ? Promise.resolve(answer) : undefined);
  await using world = await createWorld({ objects: nodes, cloud });
  await world.start();
  await world.pass(95_000);
  expect(world.cloud.takeCalls()).toEqual(['list ', 'list ', 'list ']);
  expect(world.runtimeEvents).toContainEqual(expect.objectContaining({ kind: 'cloud', call: 'list', outcome: 'failed' }));
  expect(cloud.held.size).toBe(1);
});

test('does not confirm a Service whose load balancer was created after the list call started', async () => {
  const cloud = createCloud();
  await using world = await createWorld({ objects: nodes, cloud });
  await world.start();
  let answer: (() => void) | undefined;
  cloud.intercept = ({ call }, work) => {
    if (call !== 'list') return undefined;
    const listed = work();
    return new Promise((resolve) => {
      answer = () => resolve(listed);
    });
  };
  await world.pass(600_000);
  await world.client.create(resources.services, balanced('web'));
  await world.pass();
  expect(cloud.takeCalls()).toStrictEqual(['list ', 'list ', 'ensure web n1']);
  answer?.();
  await world.pass();
  expect(cloud.takeCalls()).toStrictEqual([]);
});

test('lists once more if sweeps are requested during a list, and never twice at the same time', async () => {
  const ownership = createLead(true);
  const cloud = createCloud();
  await using world = await createWorld({ objects: nodes, cloud, ownership });
  await world.start();
  const answers: (() => void)[] = [];
  let running = 0;
  let maxRunning = 0;
  cloud.intercept = ({ call }, work) => {
    if (call !== 'list') return undefined;
    maxRunning = Math.max(maxRunning, ++running);
    return new Promise((resolve) => {
      answers.push(() => {
        running--;
        resolve(work());
      });
    });
  };
  await world.pass(600_000);
  ownership.lead(false);
  ownership.lead(true);
  await world.pass();
  expect(answers).toHaveLength(1);
  answers[0]?.();
  await world.pass();
  expect(answers).toHaveLength(2);
  answers[1]?.();
  await world.pass();
  expect([answers.length, running, maxRunning]).toStrictEqual([2, 0, 1]);
});
