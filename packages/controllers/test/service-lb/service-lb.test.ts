import { resources } from 'kube-endpoints/port';
import { describe, expect, test } from 'vitest';
import type { RuntimeEvent } from '../../src/host/runtime-event.ts';
import { createLead } from '../controllers/world.ts';
import { createCloud } from './cloud.ts';
import { balanced, createWorld, nodeNamed, stateOf } from './world.ts';

const nodes = [nodeNamed('n1'), nodeNamed('n2')];
const provisioned = { finalizer: true, ips: ['192.0.2.1'] };

describe('the service load-balancer controller', () => {
  test('creates the load balancer, finalizer, status and Events of a Service, then becomes idle', async () => {
    await using world = await createWorld({ objects: [...nodes, balanced('web'), balanced('plain', { type: 'ClusterIP' })] });
    await world.start();
    expect(world.cloud.takeCalls()).toEqual(['list ', 'ensure web n1 n2']);
    expect(stateOf(await world.get('web'))).toEqual(provisioned);
    expect(await world.events('web')).toEqual([
      'EnsuringLoadBalancer: Ensuring load balancer',
      'EnsuredLoadBalancer: Ensured load balancer',
    ]);
    expect(world.controller.idle).toBe(true);
    expect(world.controller.stats()).toMatchObject({
      objects: { 'service-lb/services': 3, 'service-lb/nodes': 2 },
      controllers: { 'service-lb': { syncs: { success: 1 }, writes: 2 } },
    });
    await world.pass(60_000);
    expect(world.cloud.takeCalls()).toEqual([]);
  });

  test('deletes the load balancer before a deleted Service goes away', async () => {
    await using world = await createWorld({ objects: [...nodes, balanced('web')] });
    await world.start();
    world.cloud.takeCalls();
    await world.delete('web');
    await world.pass();
    expect(world.cloud.takeCalls()).toEqual(['get web', 'delete web']);
    expect(await world.get('web')).toBeUndefined();
    expect(world.cloud.held.size).toBe(0);
    expect(world.controller.idle).toBe(true);
  });

  test('cleans up a Service that changes its type, and creates the load balancer again if the type is changed back', async () => {
    await using world = await createWorld({ objects: [...nodes, balanced('web')] });
    await world.start();
    await world.change('web', { spec: { type: 'ClusterIP' } });
    await world.pass();
    expect(stateOf(await world.get('web'))).toEqual({ finalizer: false, ips: [] });
    expect(world.cloud.held.size).toBe(0);
    await world.change('web', { spec: { type: 'LoadBalancer' } });
    await world.pass();
    expect(stateOf(await world.get('web'))).toEqual(provisioned);
    expect(world.cloud.held.size).toBe(1);
  });

  test('ignores a Service with the loadBalancerClass of another controller', async () => {
    await using world = await createWorld({ objects: [...nodes, balanced('web', { loadBalancerClass: 'example.com/other' })] });
    await world.start();
    expect(world.cloud.takeCalls()).toEqual(['list ']);
    expect(stateOf(await world.get('web'))).toEqual({ finalizer: false, ips: [] });
  });

  test('deletes the load balancers of Services that lost their finalizer before deletion, even if the name is reused', async () => {
    await using world = await createWorld({ objects: [...nodes, balanced('web')] });
    await world.start();
    const before = (await world.get('web'))?.metadata.uid;
    await world.change('web', { metadata: { finalizers: null } });
    await world.delete('web');
    await world.client.create(resources.services, balanced('web'));
    await world.pass();
    const now = (await world.get('web'))?.metadata.uid;
    expect(now).not.toBe(before);
    expect([...world.cloud.held.keys()]).toEqual([now]);
    await world.change('web', { metadata: { finalizers: null } });
    await world.delete('web');
    await world.pass();
    expect(world.cloud.held.size).toBe(0);
  });

  test('passes the former annotations to the cloud when a Service changes its type without a finalizer', async () => {
    await using world = await createWorld({ objects: [...nodes, balanced('web', {}, { annotations: { kind: 'internal' } })] });
    await world.start();
    const seen: unknown[] = [];
    world.cloud.intercept = ({ call }, work) => {
      if (call === 'get') seen.push(call);
      return Promise.resolve(work());
    };
    await world.change('web', { metadata: { finalizers: null }, spec: { type: 'ClusterIP' } });
    const wiped = { status: { loadBalancer: { ingress: null } } };
    await world.client.patch(resources.services, { namespace: 'shop', name: 'web' }, wiped, { type: 'merge', subresource: 'status' });
    await world.pass();
    expect(seen).toEqual(['get']);
    expect(world.cloud.held.size).toBe(0);
    const recorded = world.runtimeEvents.flatMap((each) =>
      each.kind === 'effect' && each.effect.do === 'delete' ? [each.effect.service] : [],
    );
    expect(recorded).toMatchObject([{ metadata: { annotations: { kind: 'internal' } } }]);
  });
});

describe('the service load-balancer controller does nothing', () => {
  test('until both Services and nodes are listed', async () => {
    const world = await createWorld({
      objects: [...nodes, balanced('web')],
      through: (port) => ({
        ...port,
        list: (resource, options) => (resource.plural === 'nodes' && held ? new Promise(() => {}) : port.list(resource, options)),
        watch: (resource, options) => (resource.plural === 'nodes' && held ? never() : port.watch(resource, options)),
      }),
    });
    await using _ = world;
    await world.start();
    expect([world.controller.ready, world.controller.idle]).toEqual([false, false]);
    expect(world.cloud.takeCalls()).toEqual([]);
  });

  const held = true;
  async function* never(): AsyncGenerator<never> {
    await new Promise(() => {});
  }

  test('in a dry run except report the planned effects', async () => {
    const orphan = createCloud();
    orphan.held.set('old', { service: { metadata: { namespace: 'shop', name: 'old', uid: 'old' } }, nodes: [] });
    await using world = await createWorld({ objects: [...nodes, balanced('web')], cloud: orphan, dryRun: true });
    await world.start();
    expect(world.cloud.takeCalls()).toEqual(['list ']);
    expect(stateOf(await world.get('web'))).toEqual({ finalizer: false, ips: [] });
    expect(await world.events('web')).toEqual([]);
    const effects = world.runtimeEvents.flatMap((each) => (each.kind === 'effect' && each.dryRun ? [each.effect.do] : []));
    expect(effects).toEqual(['event', 'patch', 'ensure', 'event']);
    expect(world.runtimeEvents.find(({ kind }) => kind === 'orphan')).toMatchObject({ key: 'shop/old', outcome: 'found' });
    expect(world.cloud.held.size).toBe(1);
  });

  test('while the replica owns no Services', async () => {
    const ownership = createLead(false);
    await using world = await createWorld({ objects: [...nodes, balanced('web')], ownership });
    await world.start();
    expect(world.cloud.takeCalls()).toEqual(['list ']);
    ownership.lead(true);
    await world.pass();
    expect(world.cloud.takeCalls()).toEqual(['list ', 'ensure web n1 n2']);
    ownership.lead(false);
    await world.change('web', { spec: { type: 'ClusterIP' } });
    await world.pass(60_000);
    expect(world.cloud.takeCalls().filter((request) => request !== 'list ')).toEqual([]);
    expect(world.cloud.held.size).toBe(1);
  });
});

test('run() rejects with the error of an observer and stops the controller', async () => {
  const world = await createWorld({
    objects: [...nodes, balanced('web')],
    onEvent(event: RuntimeEvent) {
      if (event.kind === 'cloud' && event.call === 'ensure') throw new Error('full');
    },
  });
  const ended = world.controller.run(new AbortController().signal).catch((error: unknown) => String(error));
  await world.pass(20_000);
  expect(await ended).toBe('Error: full');
  await world.server.close();
});
