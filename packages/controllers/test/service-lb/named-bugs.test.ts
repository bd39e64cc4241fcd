import { type ClientPort, resources } from 'kube-endpoints/port';
import { expect, test } from 'vitest';
import { balanced, createWorld, nodeNamed, stateOf } from './world.ts';

const n1 = nodeNamed('n1', { spec: { providerID: 'cloud:///n1' } });

test('kubernetes#59900: a Service listed before the nodes does not get a load balancer without nodes', async () => {
  let answer = (): void => undefined;
  const known = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const through = (port: ClientPort): ClientPort => ({
    ...port,
    async list(resource, options) {
      if (resource.plural === 'nodes') await known;
      return port.list(resource, options);
    },
    async *watch(resource, options) {
      if (resource.plural === 'nodes') await known;
      yield* port.watch(resource, options);
    },
  });
  await using world = await createWorld({ objects: [n1, balanced('web')], through });
  await world.start();
  await world.pass(60_000);
  expect([world.controller.ready, world.cloud.takeCalls()]).toEqual([false, []]);
  answer();
  await world.pass(60_000);
  expect(world.cloud.takeCalls().filter((request) => request !== 'list ')).toEqual(['ensure web n1']);
});

test('kubernetes#117375: a node that gets its providerID late causes another update with it', async () => {
  await using world = await createWorld({ objects: [n1, nodeNamed('n2'), balanced('web')], version: '1.36' });
  await world.start();
  world.cloud.takeCalls();
  await world.client.patch(resources.nodes, { name: 'n2' }, { spec: { providerID: 'cloud:///n2' } }, { type: 'merge' });
  await world.pass();
  expect(world.cloud.takeCalls()).toEqual(['update web n1 n2']);
});

test('kubernetes#53451, kubernetes#78124: a Service deleted while its clean-up fails leaves no load balancer after a restart', async () => {
  await using world = await createWorld({ objects: [n1, balanced('web')] });
  await world.start();
  world.cloud.intercept = ({ call }) => (call === 'delete' ? Promise.reject(new Error('the network is down')) : undefined);
  await world.delete('web');
  await world.pass();
  await world.stop();
  expect([world.cloud.held.size, stateOf(await world.get('web'))]).toMatchObject([1, { finalizer: true }]);
  world.cloud.intercept = () => undefined;
  await world.start();
  expect([world.cloud.held.size, await world.get('web')]).toEqual([0, undefined]);
});

test('kubernetes#80571: new nodes do not recreate the load balancer of a Service that is being deleted', async () => {
  await using world = await createWorld({ objects: [n1, balanced('web'), balanced('api')] });
  await world.start();
  world.cloud.takeCalls();
  await world.client.create(resources.nodes, nodeNamed('n2'));
  await world.delete('web');
  await world.pass(60_000);
  expect(world.cloud.takeCalls().sort()).toEqual(['delete web', 'get web', 'update api n1 n2']);
  expect(world.cloud.held.size).toBe(1);
});
