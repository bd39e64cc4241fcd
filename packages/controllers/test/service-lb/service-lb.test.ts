import { resources } from 'kube-endpoints/port';
import { describe, expect, test } from 'vitest';
import type { RuntimeEvent } from '../../src/host/runtime-event.ts';
import { createTestOwnership } from '../controllers/fixture.ts';
import { createCloud } from './cloud.ts';
import { createFixture, loadBalancerService, makeNode, stateOf } from './fixture.ts';

const nodes = [makeNode('n1'), makeNode('n2')];
const provisionedState = { finalizer: true, ips: ['192.0.2.1'] };

describe('the service load-balancer controller', () => {
  test('creates the load balancer, finalizer, status and Events of a Service, then becomes idle', async () => {
    await using fixture = await createFixture({
      objects: [...nodes, loadBalancerService('web'), loadBalancerService('plain', { type: 'ClusterIP' })],
    });
    await fixture.start();
    expect(fixture.cloud.takeCalls()).toEqual(['list ', 'ensure web n1 n2']);
    expect(stateOf(await fixture.get('web'))).toEqual(provisionedState);
    expect(await fixture.readEvents('web')).toEqual([
      'EnsuringLoadBalancer: Ensuring load balancer',
      'EnsuredLoadBalancer: Ensured load balancer',
    ]);
    expect(fixture.controller.idle).toBe(true);
    expect(fixture.controller.stats()).toMatchObject({
      objects: { 'service-lb/services': 3, 'service-lb/nodes': 2 },
      controllers: { 'service-lb': { syncs: { success: 1 }, writes: 2 } },
    });
    await fixture.pass(60_000);
    expect(fixture.cloud.takeCalls()).toEqual([]);
  });

  test('deletes the load balancer before a deleted Service disappears', async () => {
    await using fixture = await createFixture({ objects: [...nodes, loadBalancerService('web')] });
    await fixture.start();
    fixture.cloud.takeCalls();
    await fixture.delete('web');
    await fixture.pass();
    expect(fixture.cloud.takeCalls()).toEqual(['get web', 'delete web']);
    expect(await fixture.get('web')).toBeUndefined();
    expect(fixture.cloud.loadBalancers.size).toBe(0);
    expect(fixture.controller.idle).toBe(true);
  });

  test('cleans up a Service that changes its type, and creates the load balancer again if the type is changed back', async () => {
    await using fixture = await createFixture({ objects: [...nodes, loadBalancerService('web')] });
    await fixture.start();
    await fixture.change('web', { spec: { type: 'ClusterIP' } });
    await fixture.pass();
    expect(stateOf(await fixture.get('web'))).toEqual({ finalizer: false, ips: [] });
    expect(fixture.cloud.loadBalancers.size).toBe(0);
    await fixture.change('web', { spec: { type: 'LoadBalancer' } });
    await fixture.pass();
    expect(stateOf(await fixture.get('web'))).toEqual(provisionedState);
    expect(fixture.cloud.loadBalancers.size).toBe(1);
  });

  test('ignores a Service with the loadBalancerClass of another controller', async () => {
    await using fixture = await createFixture({
      objects: [...nodes, loadBalancerService('web', { loadBalancerClass: 'example.com/other' })],
    });
    await fixture.start();
    expect(fixture.cloud.takeCalls()).toEqual(['list ']);
    expect(stateOf(await fixture.get('web'))).toEqual({ finalizer: false, ips: [] });
  });

  test('deletes the load balancers of Services that lost their finalizer before deletion, even if the name is reused', async () => {
    await using fixture = await createFixture({ objects: [...nodes, loadBalancerService('web')] });
    await fixture.start();
    const previousUid = (await fixture.get('web'))?.metadata.uid;
    await fixture.change('web', { metadata: { finalizers: null } });
    await fixture.delete('web');
    await fixture.client.create(resources.services, loadBalancerService('web'));
    await fixture.pass();
    const currentUid = (await fixture.get('web'))?.metadata.uid;
    expect(currentUid).not.toBe(previousUid);
    expect([...fixture.cloud.loadBalancers.keys()]).toEqual([currentUid]);
    await fixture.change('web', { metadata: { finalizers: null } });
    await fixture.delete('web');
    await fixture.pass();
    expect(fixture.cloud.loadBalancers.size).toBe(0);
  });

  test('passes the previous annotations to the cloud if a Service without the finalizer changes its type', async () => {
    await using fixture = await createFixture({
      objects: [...nodes, loadBalancerService('web', {}, { annotations: { kind: 'internal' } })],
    });
    await fixture.start();
    const getCalls: unknown[] = [];
    fixture.cloud.intercept = ({ call }, work) => {
      if (call === 'get') getCalls.push(call);
      return Promise.resolve(work());
    };
    await fixture.change('web', { metadata: { finalizers: null }, spec: { type: 'ClusterIP' } });
    const withoutStatus = { status: { loadBalancer: { ingress: null } } };
    await fixture.client.patch(resources.services, { namespace: 'shop', name: 'web' }, withoutStatus, {
      type: 'merge',
      subresource: 'status',
    });
    await fixture.pass();
    expect(getCalls).toEqual(['get']);
    expect(fixture.cloud.loadBalancers.size).toBe(0);
    const deletedServices = fixture.runtimeEvents.flatMap((each) =>
      each.kind === 'effect' && each.effect.do === 'delete' ? [each.effect.service] : [],
    );
    expect(deletedServices).toMatchObject([{ metadata: { annotations: { kind: 'internal' } } }]);
  });
});

describe('the service load-balancer controller does nothing', () => {
  test('until both Services and nodes are listed', async () => {
    const fixture = await createFixture({
      objects: [...nodes, loadBalancerService('web')],
      wrapPort: (port) => ({
        ...port,
        list: (resource, options) => (resource.plural === 'nodes' ? new Promise(() => {}) : port.list(resource, options)),
        watch: (resource, options) => (resource.plural === 'nodes' ? neverYield() : port.watch(resource, options)),
      }),
    });
    await using _ = fixture;
    await fixture.start();
    expect([fixture.controller.ready, fixture.controller.idle]).toEqual([false, false]);
    expect(fixture.cloud.takeCalls()).toEqual([]);
  });

  async function* neverYield(): AsyncGenerator<never> {
    await new Promise(() => {});
  }

  test('in a dry run except report the planned effects', async () => {
    const cloudWithOrphan = createCloud();
    cloudWithOrphan.loadBalancers.set('old', { service: { metadata: { namespace: 'shop', name: 'old', uid: 'old' } }, nodes: [] });
    await using fixture = await createFixture({ objects: [...nodes, loadBalancerService('web')], cloud: cloudWithOrphan, dryRun: true });
    await fixture.start();
    expect(fixture.cloud.takeCalls()).toEqual(['list ']);
    expect(stateOf(await fixture.get('web'))).toEqual({ finalizer: false, ips: [] });
    expect(await fixture.readEvents('web')).toEqual([]);
    const effects = fixture.runtimeEvents.flatMap((each) => (each.kind === 'effect' && each.dryRun ? [each.effect.do] : []));
    expect(effects).toEqual(['event', 'patch', 'ensure', 'event']);
    expect(fixture.runtimeEvents.find(({ kind }) => kind === 'orphan')).toMatchObject({ key: 'shop/old', outcome: 'found' });
    expect(fixture.cloud.loadBalancers.size).toBe(1);
  });

  test('while the replica owns no Services', async () => {
    const ownership = createTestOwnership({ owned: false });
    await using fixture = await createFixture({ objects: [...nodes, loadBalancerService('web')], ownership });
    await fixture.start();
    expect(fixture.cloud.takeCalls()).toEqual(['list ']);
    ownership.gain();
    await fixture.pass();
    expect(fixture.cloud.takeCalls()).toEqual(['list ', 'ensure web n1 n2']);
    ownership.lose();
    await fixture.change('web', { spec: { type: 'ClusterIP' } });
    await fixture.pass(60_000);
    expect(fixture.cloud.takeCalls().filter((request) => request !== 'list ')).toEqual([]);
    expect(fixture.cloud.loadBalancers.size).toBe(1);
  });
});

test('run() rejects with the error of an observer and stops the controller', async () => {
  const fixture = await createFixture({
    objects: [...nodes, loadBalancerService('web')],
    onEvent(event: RuntimeEvent) {
      if (event.kind === 'cloud' && event.call === 'ensure') throw new Error('disk full');
    },
  });
  const ended = fixture.controller.run(new AbortController().signal).catch((error: unknown) => String(error));
  await fixture.pass(20_000);
  expect(await ended).toBe('Error: disk full');
  await fixture.server.close();
});
