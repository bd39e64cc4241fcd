import { cleanupFinalizer } from 'kube-endpoints/internal';
import { CloudError } from 'kube-endpoints/load-balancer';
import { resources } from 'kube-endpoints/port';
import { expect, test } from 'vitest';
import { createLead } from '../controllers/world.ts';
import { createCloud, hangUntilAborted } from './cloud.ts';
import { balanced, createWorld, nodeNamed, stateOf } from './world.ts';

test('a call that was given up for a Service that is there is made up for by its sync, for one that is gone by a deletion', async () => {
  await using world = await createWorld({ objects: [nodeNamed('n1'), balanced('web')], cloudTimeout: 20_000 });
  await world.start();
  await world.pass(20_000);
  world.cloud.twist = (asked) => (asked.call === 'ensure' ? hangUntilAborted(asked) : undefined);
  await world.change('web', { spec: { sessionAffinity: 'ClientIP' } });
  await world.pass(21_000);
  world.cloud.twist = () => undefined;
  await world.pass(5000);
  expect(world.outcomes('web').at(-1)).toBe('success 0');
  world.cloud.asked();
  await world.pass(20_000);
  expect(world.cloud.asked()).toEqual(['ensure web n1']);

  world.cloud.twist = (asked) => (asked.call === 'ensure' ? hangUntilAborted(asked) : undefined);
  await world.change('web', { spec: { sessionAffinity: 'None' } });
  await world.delete('web');
  world.cloud.twist = () => undefined;
  await world.pass(1000);
  world.cloud.asked();
  await world.pass(40_000);
  expect(await world.get('web')).toBeUndefined();
  expect(world.cloud.held.size).toBe(0);
});

test('there is no recorder in a dry run', async () => {
  await using world = await createWorld({ objects: [nodeNamed('n1'), balanced('web')], dryRun: true });
  await world.start();
  expect(world.happenings.filter(({ kind }) => kind === 'event')).toEqual([]);
  expect(world.happenings.filter(({ kind }) => kind === 'effect')).not.toEqual([]);
});

const nodes = [nodeNamed('n1'), nodeNamed('n2')];

test('what a replica before may have left behind is made sure of once more when it can take effect no longer, without Events', async () => {
  await using world = await createWorld({ objects: [...nodes, balanced('web')], cloudTimeout: 20_000 });
  await world.start();
  world.cloud.asked();
  world.cloud.held.set((await world.get('web'))?.metadata.uid ?? '', { service: {}, nodes: ['gone'] });
  await world.pass(30_000);
  expect(world.cloud.asked()).toEqual(['ensure web n1 n2']);
  expect(await world.events('web')).toHaveLength(2);
  await world.pass(300_000);
  expect(world.cloud.asked()).toEqual([]);
});

test('at the start all that want a load balancer or have to be cleaned up are seen to', async () => {
  const finalizers = ['service.kubernetes.io/load-balancer-cleanup'];
  const objects = [
    ...nodes,
    balanced('web'),
    balanced('was', { type: 'ClusterIP' }, { finalizers }),
    balanced('plain', { type: 'NodePort' }),
  ];
  await using world = await createWorld({ objects });
  await world.start();
  expect(world.cloud.asked().sort()).toEqual(['ensure web n1 n2', 'get was', 'list ']);
  expect(stateOf(await world.get('was'))).toEqual({ finalizer: false, ips: [] });
});

test('a Service that was deleted while the controller was away is cleaned up by the next one', async () => {
  await using world = await createWorld({ objects: [...nodes, balanced('web')] });
  await world.start();
  await world.stop();
  await world.delete('web');
  expect(world.cloud.held.size).toBe(1);
  await world.start();
  expect(await world.get('web')).toBeUndefined();
  expect(world.cloud.held.size).toBe(0);
});

test('what comes back is synced anew, by what it is by then', async () => {
  const ownership = createLead(true);
  await using world = await createWorld({ objects: [...nodes, balanced('web')], ownership });
  await world.start();
  world.cloud.asked();
  ownership.lead(false);
  await world.client.create(resources.nodes, nodeNamed('n3'));
  await world.pass();
  ownership.lead(true);
  await world.pass();
  expect(world.cloud.asked().filter((asked) => asked !== 'list ')).toEqual(['ensure web n1 n2 n3']);
  ownership.lead(true);
  await world.pass();
  expect(world.cloud.asked()).toEqual(['list ']);
});

test('those whose status tells an address come first, and each has its turn before others are given one', async () => {
  const finalizers = ['service.kubernetes.io/load-balancer-cleanup'];
  const published = { ...balanced('z-old', {}, { finalizers }), status: { loadBalancer: { ingress: [{ ip: '192.0.2.9' }] } } };
  const objects = [...nodes, balanced('a-new', {}, { finalizers }), balanced('b-new'), published];
  let answer = (): void => undefined;
  const asked = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await using world = await createWorld({
    objects,
    cloud: createCloud({ list: false }),
    through: (port) => ({
      ...port,
      get: async (resource, key, options) => {
        if (key.name === 'z-old') await asked;
        return port.get(resource, key, options);
      },
    }),
  });
  await world.start();
  expect(world.cloud.asked()).toEqual([]);
  expect(world.controller.idle).toBe(false);
  expect(world.controller.stats().controllers['service-lb']).toMatchObject({ waiting: 2, processing: 1 });
  await world.client.create(resources.services, balanced('c-new'));
  await world.pass();
  expect(world.cloud.asked()).toEqual([]);
  answer();
  await world.pass();
  const [first, ...others] = world.cloud.asked();
  expect(first).toBe('ensure z-old n1 n2');
  expect(others.sort()).toEqual(['ensure a-new n1 n2', 'ensure b-new n1 n2', 'ensure c-new n1 n2']);
  expect(world.controller.idle).toBe(true);
});

test('a turn that fails is one, too: nobody waits for the next', async () => {
  const published = { ...balanced('old'), status: { loadBalancer: { ingress: [{ ip: '192.0.2.9' }] } } };
  const cloud = createCloud({ list: false });
  cloud.twist = ({ name }) => (name === 'old' ? Promise.reject(new CloudError('Failed', 'down')) : undefined);
  await using world = await createWorld({ objects: [...nodes, balanced('new'), published], cloud });
  await world.start();
  expect(world.cloud.asked()).toEqual(['ensure old n1 n2', 'ensure new n1 n2']);
});

test('what comes to a replica that is about to end is left to the next, and nothing is waited for after the end', async () => {
  const ownership = createLead(true);
  const cloud = createCloud({ list: false });
  await using world = await createWorld({ objects: [...nodes, balanced('web')], cloud, ownership });
  const before = world.clock.scheduled;
  cloud.twist = hangUntilAborted;
  await world.start();
  world.end();
  await world.pass(1000);
  ownership.lead(false);
  ownership.lead(true);
  await world.pass(10_000);
  expect([world.running, world.clock.scheduled]).toEqual([false, before]);
});

const oneNode = [nodeNamed('n1')];
const made = { finalizer: true, ips: ['192.0.2.1'] };

test.each<[string, object, string[]]>([
  ['what a load balancer is made of', { spec: { sessionAffinity: 'ClientIP' } }, ['ensure web n1']],
  ['annotations', { metadata: { annotations: { size: 'large' } } }, ['ensure web n1']],
  ['labels', { metadata: { labels: { size: 'large' } } }, []],
  ['the selector', { spec: { selector: { app: 'other' } } }, []],
])('a change of %s', async (_, patch, calls) => {
  await using world = await createWorld({ objects: [...oneNode, balanced('web')] });
  await world.start();
  world.cloud.asked();
  await world.change('web', patch);
  await world.pass();
  expect(world.cloud.asked()).toEqual(calls);
});

test('a Service that is new is seen to, one of another type is not', async () => {
  await using world = await createWorld({ objects: oneNode });
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
  await using world = await createWorld({ objects: [...oneNode, balanced('web')] });
  await world.start();
  const key = { namespace: 'shop', name: 'web' };
  await world.client.patch(resources.services, key, patch, { type: 'merge', ...(subresource && { subresource }) });
  await world.pass();
  expect(stateOf(await world.get('web'))).toEqual(made);
  expect((await world.get('web'))?.metadata.finalizers).toEqual([cleanupFinalizer]);
  expect(world.outcomes('web')).toEqual(['success 0', 'success 0']);
});
