import { cleanupFinalizer } from 'kube-endpoints/internal';
import { CloudError } from 'kube-endpoints/load-balancer';
import { resources } from 'kube-endpoints/port';
import { expect, test } from 'vitest';
import { createTestOwnership } from '../controllers/fixture.ts';
import { createCloud, hangUntilAborted } from './cloud.ts';
import { createFixture, loadBalancerService, makeNode, stateOf } from './fixture.ts';

test('after a timed-out call, the controller syncs the Service if it exists, and deletes the load balancer if the Service is gone', async () => {
  await using fixture = await createFixture({ objects: [makeNode('n1'), loadBalancerService('web')], cloudTimeout: 20_000 });
  await fixture.start();
  await fixture.pass(20_000);
  fixture.cloud.intercept = (request) => (request.call === 'ensure' ? hangUntilAborted(request) : undefined);
  await fixture.change('web', { spec: { sessionAffinity: 'ClientIP' } });
  await fixture.pass(21_000);
  fixture.cloud.intercept = () => undefined;
  await fixture.pass(5000);
  expect(fixture.readSyncOutcomes('web').at(-1)).toBe('success 0');
  fixture.cloud.takeCalls();
  await fixture.pass(20_000);
  expect(fixture.cloud.takeCalls()).toEqual(['ensure web n1']);

  fixture.cloud.intercept = (request) => (request.call === 'ensure' ? hangUntilAborted(request) : undefined);
  await fixture.change('web', { spec: { sessionAffinity: 'None' } });
  await fixture.delete('web');
  fixture.cloud.intercept = () => undefined;
  await fixture.pass(1000);
  fixture.cloud.takeCalls();
  await fixture.pass(40_000);
  expect(await fixture.get('web')).toBeUndefined();
  expect(fixture.cloud.loadBalancers.size).toBe(0);
});

test('a dry run records no Events', async () => {
  await using fixture = await createFixture({ objects: [makeNode('n1'), loadBalancerService('web')], dryRun: true });
  await fixture.start();
  expect(fixture.runtimeEvents.filter(({ kind }) => kind === 'event')).toEqual([]);
  expect(fixture.runtimeEvents.filter(({ kind }) => kind === 'effect')).not.toEqual([]);
});

const nodes = [makeNode('n1'), makeNode('n2')];

test('the controller repeats ensure without Events once calls of an earlier replica can no longer take effect', async () => {
  await using fixture = await createFixture({ objects: [...nodes, loadBalancerService('web')], cloudTimeout: 20_000 });
  await fixture.start();
  fixture.cloud.takeCalls();
  fixture.cloud.loadBalancers.set((await fixture.get('web'))?.metadata.uid ?? '', { service: {}, nodes: ['removed'] });
  await fixture.pass(30_000);
  expect(fixture.cloud.takeCalls()).toEqual(['ensure web n1 n2']);
  expect(await fixture.readEvents('web')).toHaveLength(2);
  await fixture.pass(300_000);
  expect(fixture.cloud.takeCalls()).toEqual([]);
});

test('at startup, the controller syncs every Service that needs a load balancer or a cleanup', async () => {
  const finalizers = ['service.kubernetes.io/load-balancer-cleanup'];
  const objects = [
    ...nodes,
    loadBalancerService('web'),
    loadBalancerService('former', { type: 'ClusterIP' }, { finalizers }),
    loadBalancerService('plain', { type: 'NodePort' }),
  ];
  await using fixture = await createFixture({ objects });
  await fixture.start();
  expect(fixture.cloud.takeCalls().sort()).toEqual(['ensure web n1 n2', 'get former', 'list ']);
  expect(stateOf(await fixture.get('former'))).toEqual({ finalizer: false, ips: [] });
});

test('the controller cleans up at startup a Service that was deleted while no controller was running', async () => {
  await using fixture = await createFixture({ objects: [...nodes, loadBalancerService('web')] });
  await fixture.start();
  await fixture.stop();
  await fixture.delete('web');
  expect(fixture.cloud.loadBalancers.size).toBe(1);
  await fixture.start();
  expect(await fixture.get('web')).toBeUndefined();
  expect(fixture.cloud.loadBalancers.size).toBe(0);
});

test('the controller syncs a Service with its current nodes when the replica regains ownership', async () => {
  const ownership = createTestOwnership({ owned: true });
  await using fixture = await createFixture({ objects: [...nodes, loadBalancerService('web')], ownership });
  await fixture.start();
  fixture.cloud.takeCalls();
  ownership.lose();
  await fixture.client.create(resources.nodes, makeNode('n3'));
  await fixture.pass();
  ownership.gain();
  await fixture.pass();
  expect(fixture.cloud.takeCalls().filter((request) => request !== 'list ')).toEqual(['ensure web n1 n2 n3']);
  ownership.gain();
  await fixture.pass();
  expect(fixture.cloud.takeCalls()).toEqual(['list ']);
});

test('the controller syncs Services that already have an address before Services without one', async () => {
  const finalizers = ['service.kubernetes.io/load-balancer-cleanup'];
  const serviceWithAddress = {
    ...loadBalancerService('z-old', {}, { finalizers }),
    status: { loadBalancer: { ingress: [{ ip: '192.0.2.9' }] } },
  };
  const objects = [...nodes, loadBalancerService('a-new', {}, { finalizers }), loadBalancerService('b-new'), serviceWithAddress];
  let respond = (): void => undefined;
  const response = new Promise<void>((resolve) => {
    respond = resolve;
  });
  await using fixture = await createFixture({
    objects,
    cloud: createCloud({ list: false }),
    wrapPort: (port) => ({
      ...port,
      get: async (resource, key, options) => {
        if (key.name === 'z-old') await response;
        return port.get(resource, key, options);
      },
    }),
  });
  await fixture.start();
  expect(fixture.cloud.takeCalls()).toEqual([]);
  expect(fixture.controller.idle).toBe(false);
  expect(fixture.controller.stats().controllers['service-lb']).toMatchObject({ waiting: 2, processing: 1 });
  await fixture.client.create(resources.services, loadBalancerService('c-new'));
  await fixture.pass();
  expect(fixture.cloud.takeCalls()).toEqual([]);
  respond();
  await fixture.pass();
  const [firstCall, ...otherCalls] = fixture.cloud.takeCalls();
  expect(firstCall).toBe('ensure z-old n1 n2');
  expect(otherCalls.sort()).toEqual(['ensure a-new n1 n2', 'ensure b-new n1 n2', 'ensure c-new n1 n2']);
  expect(fixture.controller.idle).toBe(true);
});

test('a failed sync of a Service with an address does not delay Services without one', async () => {
  const serviceWithAddress = { ...loadBalancerService('old'), status: { loadBalancer: { ingress: [{ ip: '192.0.2.9' }] } } };
  const cloud = createCloud({ list: false });
  cloud.intercept = ({ name }) => (name === 'old' ? Promise.reject(new CloudError('Failed', 'down')) : undefined);
  await using fixture = await createFixture({ objects: [...nodes, loadBalancerService('new'), serviceWithAddress], cloud });
  await fixture.start();
  expect(fixture.cloud.takeCalls()).toEqual(['ensure old n1 n2', 'ensure new n1 n2']);
});

test('regaining ownership during shutdown starts no work and leaves no timers', async () => {
  const ownership = createTestOwnership({ owned: true });
  const cloud = createCloud({ list: false });
  await using fixture = await createFixture({ objects: [...nodes, loadBalancerService('web')], cloud, ownership });
  await fixture.pass(10_000);
  const scheduledBefore = fixture.clock.scheduled;
  cloud.intercept = hangUntilAborted;
  await fixture.start();
  fixture.abort();
  await fixture.pass(1000);
  ownership.lose();
  ownership.gain();
  await fixture.pass(10_000);
  expect([fixture.isRunning, fixture.clock.scheduled]).toEqual([false, scheduledBefore]);
});

const oneNode = [makeNode('n1')];
const provisionedState = { finalizer: true, ips: ['192.0.2.1'] };

test.each<[string, string[], object]>([
  ['sessionAffinity', ['ensure web n1'], { spec: { sessionAffinity: 'ClientIP' } }],
  ['annotations', ['ensure web n1'], { metadata: { annotations: { size: 'large' } } }],
  ['labels', [], { metadata: { labels: { size: 'large' } } }],
  ['the selector', [], { spec: { selector: { app: 'other' } } }],
])('after a change of %s, the controller makes the cloud calls %j', async (_, calls, patch) => {
  await using fixture = await createFixture({ objects: [...oneNode, loadBalancerService('web')] });
  await fixture.start();
  fixture.cloud.takeCalls();
  await fixture.change('web', patch);
  await fixture.pass();
  expect(fixture.cloud.takeCalls()).toEqual(calls);
});

test('the controller syncs a new Service of type LoadBalancer, but not a Service of type NodePort', async () => {
  await using fixture = await createFixture({ objects: oneNode });
  await fixture.start();
  fixture.cloud.takeCalls();
  await fixture.client.create(resources.services, loadBalancerService('web'));
  await fixture.client.create(resources.services, loadBalancerService('plain', { type: 'NodePort' }));
  await fixture.pass();
  expect(fixture.cloud.takeCalls()).toEqual(['ensure web n1']);
  expect(fixture.readSyncOutcomes('plain')).toEqual([]);
  await fixture.delete('plain');
  await fixture.pass();
  expect(fixture.readSyncOutcomes('plain')).toEqual([]);
});

test.each<[string, object, string | undefined]>([
  ['the finalizer', { metadata: { finalizers: null } }, undefined],
  ['the status', { status: { loadBalancer: { ingress: null } } }, 'status'],
])('the controller restores %s once if another client removes it', async (_, patch, subresource) => {
  await using fixture = await createFixture({ objects: [...oneNode, loadBalancerService('web')] });
  await fixture.start();
  const key = { namespace: 'shop', name: 'web' };
  await fixture.client.patch(resources.services, key, patch, { type: 'merge', ...(subresource && { subresource }) });
  await fixture.pass();
  expect(stateOf(await fixture.get('web'))).toEqual(provisionedState);
  expect((await fixture.get('web'))?.metadata.finalizers).toEqual([cleanupFinalizer]);
  expect(fixture.readSyncOutcomes('web')).toEqual(['success 0', 'success 0']);
});
