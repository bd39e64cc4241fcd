import { cleanupFinalizer } from 'kube-endpoints/internal';
import { CloudError } from 'kube-endpoints/load-balancer';
import { resources } from 'kube-endpoints/port';
import { expect, test } from 'vitest';
import { createLead } from '../controllers/world.ts';
import { createCloud, hangUntilAborted } from './cloud.ts';
import { balanced, createWorld, nodeNamed, stateOf } from './world.ts';

test('verifies a timed-out call by a sync if the Service exists, by a deletion if it is gone', async () => {
  await using world = await createWorld({ objects: [nodeNamed('n1'), balanced('web')], cloudTimeout: 20_000 });
  await world.start();
  await world.pass(20_000);
  world.cloud.intercept = (request) => (request.call === 'ensure' ? hangUntilAborted(request) : undefined);
  await world.change('web', { spec: { sessionAffinity: 'ClientIP' } });
  await world.pass(21_000);
  world.cloud.intercept = () => undefined;
  await world.pass(5000);
  expect(world.outcomes('web').at(-1)).toBe('success 0');
  world.cloud.takeCalls();
  await world.pass(20_000);
  expect(world.cloud.takeCalls()).toEqual(['ensure web n1']);

  world.cloud.intercept = (request) => (request.call === 'ensure' ? hangUntilAborted(request) : undefined);
  await world.change('web', { spec: { sessionAffinity: 'None' } });
  await world.delete('web');
  world.cloud.intercept = () => undefined;
  await world.pass(1000);
  world.cloud.takeCalls();
  await world.pass(40_000);
  expect(await world.get('web')).toBeUndefined();
  expect(world.cloud.held.size).toBe(0);
});

test('a dry run records no Events', async () => {
  await using world = await createWorld({ objects: [nodeNamed('n1'), balanced('web')], dryRun: true });
  await world.start();
  expect(world.runtimeEvents.filter(({ kind }) => kind === 'event')).toEqual([]);
  expect(world.runtimeEvents.filter(({ kind }) => kind === 'effect')).not.toEqual([]);
});

const nodes = [nodeNamed('n1'), nodeNamed('n2')];

test('repeats ensure without Events once calls of an earlier replica can no longer take effect', async () => {
  await using world = await createWorld({ objects: [...nodes, balanced('web')], cloudTimeout: 20_000 });
  await world.start();
  world.cloud.takeCalls();
  world.cloud.held.set((await world.get('web'))?.metadata.uid ?? '', { service: {}, nodes: ['gone'] });
  await world.pass(30_000);
  expect(world.cloud.takeCalls()).toEqual(['ensure web n1 n2']);
  expect(await world.events('web')).toHaveLength(2);
  await world.pass(300_000);
  expect(world.cloud.takeCalls()).toEqual([]);
});

test('at startup, syncs every Service that wants a load balancer or needs a clean-up', async () => {
  const finalizers = ['service.kubernetes.io/load-balancer-cleanup'];
  const objects = [
    ...nodes,
    balanced('web'),
    balanced('was', { type: 'ClusterIP' }, { finalizers }),
    balanced('plain', { type: 'NodePort' }),
  ];
  await using world = await createWorld({ objects });
  await world.start();
  expect(world.cloud.takeCalls().sort()).toEqual(['ensure web n1 n2', 'get was', 'list ']);
  expect(stateOf(await world.get('was'))).toEqual({ finalizer: false, ips: [] });
});

test('cleans up at startup a Service that was deleted while no controller was running', async () => {
  await using world = await createWorld({ objects: [...nodes, balanced('web')] });
  await world.start();
  await world.stop();
  await world.delete('web');
  expect(world.cloud.held.size).toBe(1);
  await world.start();
  expect(await world.get('web')).toBeUndefined();
  expect(world.cloud.held.size).toBe(0);
});

test('syncs a Service with its current nodes when the replica regains ownership', async () => {
  const ownership = createLead(true);
  await using world = await createWorld({ objects: [...nodes, balanced('web')], ownership });
  await world.start();
  world.cloud.takeCalls();
  ownership.lead(false);
  await world.client.create(resources.nodes, nodeNamed('n3'));
  await world.pass();
  ownership.lead(true);
  await world.pass();
  expect(world.cloud.takeCalls().filter((request) => request !== 'list ')).toEqual(['ensure web n1 n2 n3']);
  ownership.lead(true);
  await world.pass();
  expect(world.cloud.takeCalls()).toEqual(['list ']);
});

test('syncs Services that already have an address before Services without one', async () => {
  const finalizers = ['service.kubernetes.io/load-balancer-cleanup'];
  const published = { ...balanced('z-old', {}, { finalizers }), status: { loadBalancer: { ingress: [{ ip: '192.0.2.9' }] } } };
  const objects = [...nodes, balanced('a-new', {}, { finalizers }), balanced('b-new'), published];
  let answer = (): void => undefined;
  const request = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await using world = await createWorld({
    objects,
    cloud: createCloud({ list: false }),
    through: (port) => ({
      ...port,
      get: async (resource, key, options) => {
        if (key.name === 'z-old') await request;
        return port.get(resource, key, options);
      },
    }),
  });
  await world.start();
  expect(world.cloud.takeCalls()).toEqual([]);
  expect(world.controller.idle).toBe(false);
  expect(world.controller.stats().controllers['service-lb']).toMatchObject({ waiting: 2, processing: 1 });
  await world.client.create(resources.services, balanced('c-new'));
  await world.pass();
  expect(world.cloud.takeCalls()).toEqual([]);
  answer();
  await world.pass();
  const [first, ...others] = world.cloud.takeCalls();
  expect(first).toBe('ensure z-old n1 n2');
  expect(others.sort()).toEqual(['ensure a-new n1 n2', 'ensure b-new n1 n2', 'ensure c-new n1 n2']);
  expect(world.controller.idle).toBe(true);
});

test('a failed sync of a Service with an address does not delay Services without one', async () => {
  const published = { ...balanced('old'), status: { loadBalancer: { ingress: [{ ip: '192.0.2.9' }] } } };
  const cloud = createCloud({ list: false });
  cloud.intercept = ({ name }) => (name === 'old' ? Promise.reject(new CloudError('Failed', 'down')) : undefined);
  await using world = await createWorld({ objects: [...nodes, balanced('new'), published], cloud });
  await world.start();
  expect(world.cloud.takeCalls()).toEqual(['ensure old n1 n2', 'ensure new n1 n2']);
});

test('regaining ownership during shutdown starts no work and leaves no timers', async () => {
  const ownership = createLead(true);
  const cloud = createCloud({ list: false });
  await using world = await createWorld({ objects: [...nodes, balanced('web')], cloud, ownership });
  const before = world.clock.scheduled;
  cloud.intercept = hangUntilAborted;
  await world.start();
  world.end();
  await world.pass(1000);
  ownership.lead(false);
  ownership.lead(true);
  await world.pass(10_000);
  expect([world.running, world.clock.scheduled]).toEqual([false, before]);
});

const oneNode = [nodeNamed('n1')];
const provisioned = { finalizer: true, ips: ['192.0.2.1'] };

test.each<[string, object, string[]]>([
  ['what defines a load balancer', { spec: { sessionAffinity: 'ClientIP' } }, ['ensure web n1']],
  ['annotations', { metadata: { annotations: { size: 'large' } } }, ['ensure web n1']],
  ['labels', { metadata: { labels: { size: 'large' } } }, []],
  ['the selector', { spec: { selector: { app: 'other' } } }, []],
])('calls the cloud as needed after a change of %s', async (_, patch, calls) => {
  await using world = await createWorld({ objects: [...oneNode, balanced('web')] });
  await world.start();
  world.cloud.takeCalls();
  await world.change('web', patch);
  await world.pass();
  expect(world.cloud.takeCalls()).toEqual(calls);
});

test('syncs a new Service of type LoadBalancer but not one of type NodePort', async () => {
  await using world = await createWorld({ objects: oneNode });
  await world.start();
  world.cloud.takeCalls();
  await world.client.create(resources.services, balanced('web'));
  await world.client.create(resources.services, balanced('plain', { type: 'NodePort' }));
  await world.pass();
  expect(world.cloud.takeCalls()).toEqual(['ensure web n1']);
  expect(world.outcomes('plain')).toEqual([]);
  await world.delete('plain');
  await world.pass();
  expect(world.outcomes('plain')).toEqual([]);
});

test.each<[string, object, string | undefined]>([
  ['the finalizer', { metadata: { finalizers: null } }, undefined],
  ['the status', { status: { loadBalancer: { ingress: null } } }, 'status'],
])('%s is restored, once, if another client removes it', async (_, patch, subresource) => {
  await using world = await createWorld({ objects: [...oneNode, balanced('web')] });
  await world.start();
  const key = { namespace: 'shop', name: 'web' };
  await world.client.patch(resources.services, key, patch, { type: 'merge', ...(subresource && { subresource }) });
  await world.pass();
  expect(stateOf(await world.get('web'))).toEqual(provisioned);
  expect((await world.get('web'))?.metadata.finalizers).toEqual([cleanupFinalizer]);
  expect(world.outcomes('web')).toEqual(['success 0', 'success 0']);
});
