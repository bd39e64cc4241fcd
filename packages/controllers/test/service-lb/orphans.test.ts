import { type BalancerReference, CloudError } from 'kube-endpoints/load-balancer';
import { resources } from 'kube-endpoints/port';
import { expect, test } from 'vitest';
import { createTestOwnership } from '../controllers/fixture.ts';
import { createCloud, type TestCloud } from './cloud.ts';
import { createFixture, type Fixture, loadBalancerService, makeNode, stateOf } from './fixture.ts';

const nodes = [makeNode('n1')];

/** A cloud with load balancers of an earlier process. */
function createCloudWith(...references: readonly BalancerReference[]): TestCloud {
  const cloud = createCloud();
  for (const { namespace, name, uid } of references)
    cloud.loadBalancers.set(uid, { service: { metadata: { namespace, name, uid } }, nodes: [] });
  return cloud;
}

const orphan = { namespace: 'shop', name: 'orphan', uid: 'u1' };
const summarizeOrphanEvents = ({ runtimeEvents: events }: Fixture): unknown[] =>
  events.flatMap((each) => (each.kind === 'orphan' ? [`${each.key} ${each.uid} ${each.outcome}`] : []));

test('the orphan sweep deletes a load balancer whose Service was deleted while no controller was running', async () => {
  await using fixture = await createFixture({ objects: [...nodes, loadBalancerService('web')], cloud: createCloudWith(orphan) });
  await fixture.start();
  expect(fixture.cloud.takeCalls()).toEqual(['list ', 'delete orphan', 'ensure web n1']);
  expect(summarizeOrphanEvents(fixture)).toEqual(['shop/orphan u1 deleted']);
  expect(fixture.cloud.loadBalancers.size).toBe(1);
});

test('the orphan sweep deletes the load balancer of an earlier Service with the same name', async () => {
  const cloud = createCloudWith({ ...orphan, name: 'web' });
  await using fixture = await createFixture({ objects: [...nodes, loadBalancerService('web')], cloud });
  await fixture.start();
  expect([...cloud.loadBalancers.keys()]).toEqual([(await fixture.get('web'))?.metadata.uid]);
});

test('the orphan sweep runs every ten minutes and when the replica gains ownership', async () => {
  const ownership = createTestOwnership({ owned: false });
  await using fixture = await createFixture({ objects: nodes, ownership, cloud: createCloudWith(orphan) });
  await fixture.start();
  await fixture.pass(1000);
  expect(fixture.cloud.loadBalancers.size).toBe(1);
  ownership.gain();
  await fixture.pass(1000);
  expect(fixture.cloud.loadBalancers.size).toBe(0);
  fixture.cloud.loadBalancers.set('u2', { service: { metadata: { ...orphan, uid: 'u2' } }, nodes: [] });
  await fixture.pass(590_000);
  expect(fixture.cloud.loadBalancers.size).toBe(1);
  await fixture.pass(10_000);
  expect(fixture.cloud.loadBalancers.size).toBe(0);
});

test('the orphan sweep keeps a load balancer if the API server still has its Service, even if the cache does not', async () => {
  const cloud = createCloud();
  await using fixture = await createFixture({
    objects: [...nodes, loadBalancerService('web')],
    cloud,
    wrapPort: (port) => ({
      ...port,
      async *watch(resource, options) {
        for await (const event of port.watch(resource, options)) if (event.object.metadata.name !== 'web') yield event;
      },
    }),
  });
  const uid = (await fixture.get('web'))?.metadata.uid ?? '';
  cloud.loadBalancers.set(uid, { service: { metadata: { namespace: 'shop', name: 'web', uid } }, nodes: [] });
  await fixture.start();
  expect(summarizeOrphanEvents(fixture)).toEqual([`shop/web ${uid} refuted`]);
  expect(cloud.loadBalancers.size).toBe(1);
});

test('the orphan sweep retries a failed deletion of an orphan', async () => {
  const cloud = createCloudWith(orphan);
  let failuresLeft = 2;
  cloud.intercept = ({ call }) => (call === 'delete' && failuresLeft-- > 0 ? Promise.reject(new CloudError('Failed', 'busy')) : undefined);
  await using fixture = await createFixture({ objects: nodes, cloud });
  await fixture.start();
  expect(fixture.controller.idle).toBe(false);
  await fixture.pass(16_000);
  expect(summarizeOrphanEvents(fixture)).toEqual(['shop/orphan u1 retried', 'shop/orphan u1 retried', 'shop/orphan u1 deleted']);
  expect(fixture.controller.idle).toBe(true);
});

test('the orphan sweep deletes the load balancer of a Service that has another type', async () => {
  await using fixture = await createFixture({ objects: [...nodes, loadBalancerService('web', { type: 'ClusterIP' })] });
  const uid = (await fixture.get('web'))?.metadata.uid ?? '';
  fixture.cloud.loadBalancers.set(uid, { service: { metadata: { namespace: 'shop', name: 'web', uid } }, nodes: [] });
  await fixture.start();
  expect(fixture.cloud.takeCalls()).toEqual(['list ', 'delete web']);
});

test('the orphan sweep ignores load balancers of other namespaces', async () => {
  const cloud = createCloudWith({ ...orphan, namespace: 'other' });
  await using fixture = await createFixture({ objects: nodes, cloud, namespace: 'shop' });
  await fixture.start();
  await fixture.pass(600_000);
  expect(cloud.loadBalancers.size).toBe(1);
});

test('the orphan sweep cleans up by a sync if the Service has another class but still the finalizer', async () => {
  const cloud = createCloud();
  const finalizers = ['service.kubernetes.io/load-balancer-cleanup'];
  const objects = [...nodes, loadBalancerService('web', { loadBalancerClass: 'example.com/other' }, { finalizers })];
  await using fixture = await createFixture({ objects, cloud });
  await fixture.start();
  const uid = (await fixture.get('web'))?.metadata.uid ?? '';
  cloud.loadBalancers.set(uid, { service: { metadata: { namespace: 'shop', name: 'web', uid } }, nodes: [] });
  await fixture.pass(600_000);
  expect(cloud.loadBalancers.size).toBe(0);
  expect(stateOf(await fixture.get('web'))).toEqual({ finalizer: false, ips: [] });
});

test('the orphan sweep cleans up again if a load balancer appears after its Service got another class', async () => {
  await using fixture = await createFixture({ objects: [...nodes, loadBalancerService('web')] });
  await fixture.start();
  await fixture.change('web', { spec: { type: 'ClusterIP' } });
  await fixture.change('web', { spec: { type: 'LoadBalancer', loadBalancerClass: 'example.com/other' } });
  await fixture.pass();
  expect(fixture.cloud.loadBalancers.size).toBe(0);
  const { uid = '' } = (await fixture.get('web'))?.metadata ?? {};
  fixture.cloud.loadBalancers.set(uid, { service: { metadata: { namespace: 'shop', name: 'web', uid } }, nodes: [] });
  await fixture.change('web', { metadata: { finalizers: ['service.kubernetes.io/load-balancer-cleanup'] } });
  await fixture.pass(600_000);
  expect(fixture.cloud.loadBalancers.size).toBe(0);
  expect(stateOf(await fixture.get('web'))).toEqual({ finalizer: false, ips: [] });
});

test('the orphan sweep deletes the load balancer of a Service with another class, but not the status of the other controller', async () => {
  const web = loadBalancerService('web', { loadBalancerClass: 'example.com/other' });
  await using fixture = await createFixture({ objects: [...nodes, web] });
  const foreignStatus = { status: { loadBalancer: { ingress: [{ ip: '203.0.113.9' }] } } };
  const key = { namespace: 'shop', name: 'web' };
  await fixture.client.patch(resources.services, key, foreignStatus, { type: 'merge', subresource: 'status' });
  const uid = (await fixture.get('web'))?.metadata.uid ?? '';
  fixture.cloud.loadBalancers.set(uid, { service: { metadata: { ...key, uid } }, nodes: [] });
  await fixture.start();
  expect(fixture.cloud.loadBalancers.size).toBe(0);
  expect(stateOf(await fixture.get('web'))).toEqual({ finalizer: false, ips: ['203.0.113.9'] });
});

test.each([
  ['an object instead of a list', { orphan }],
  ['an invalid reference', [{ namespace: 'shop', name: '', uid: 'u1' }]],
  ['null instead of a reference', [null]],
])('the orphan sweep retries with back-off if the cloud lists %s', async (_, answer) => {
  const cloud = createCloudWith(orphan);
  cloud.intercept = ({ call }) => (call === 'list' ? Promise.resolve(answer) : undefined);
  await using fixture = await createFixture({ objects: nodes, cloud });
  await fixture.start();
  await fixture.pass(95_000);
  expect(fixture.cloud.takeCalls()).toEqual(['list ', 'list ', 'list ']);
  expect(fixture.runtimeEvents).toContainEqual(expect.objectContaining({ kind: 'cloud', call: 'list', outcome: 'failed' }));
  expect(cloud.loadBalancers.size).toBe(1);
});

test('the orphan sweep does not recheck a load balancer that was created after the list call started', async () => {
  const cloud = createCloud();
  await using fixture = await createFixture({ objects: nodes, cloud });
  await fixture.start();
  let sendAnswer: (() => void) | undefined;
  cloud.intercept = ({ call }, work) => {
    if (call !== 'list') return undefined;
    const listedReferences = work();
    return new Promise((resolve) => {
      sendAnswer = () => resolve(listedReferences);
    });
  };
  await fixture.pass(600_000);
  await fixture.client.create(resources.services, loadBalancerService('web'));
  await fixture.pass();
  expect(cloud.takeCalls()).toStrictEqual(['list ', 'list ', 'ensure web n1']);
  sendAnswer?.();
  await fixture.pass();
  expect(cloud.takeCalls()).toStrictEqual([]);
});

test('the orphan sweep lists once more if sweeps are requested during a list, and never twice at the same time', async () => {
  const ownership = createTestOwnership({ owned: true });
  const cloud = createCloud();
  await using fixture = await createFixture({ objects: nodes, cloud, ownership });
  await fixture.start();
  const sendAnswers: (() => void)[] = [];
  let runningCount = 0;
  let maxRunningCount = 0;
  cloud.intercept = ({ call }, work) => {
    if (call !== 'list') return undefined;
    maxRunningCount = Math.max(maxRunningCount, ++runningCount);
    return new Promise((resolve) => {
      sendAnswers.push(() => {
        runningCount--;
        resolve(work());
      });
    });
  };
  await fixture.pass(600_000);
  ownership.lose();
  ownership.gain();
  await fixture.pass();
  expect(sendAnswers).toHaveLength(1);
  sendAnswers[0]?.();
  await fixture.pass();
  expect(sendAnswers).toHaveLength(2);
  sendAnswers[1]?.();
  await fixture.pass();
  expect([sendAnswers.length, runningCount, maxRunningCount]).toStrictEqual([2, 0, 1]);
});
