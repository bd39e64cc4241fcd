import { type ClientPort, resources } from 'kube-endpoints/port';
import { expect, test } from 'vitest';
import { createFixture, loadBalancerService, makeNode, stateOf } from './fixture.ts';

const n1 = makeNode('n1', { spec: { providerID: 'cloud:///n1' } });

test('kubernetes#59900: a Service listed before the nodes does not get a load balancer without nodes', async () => {
  let release = (): void => undefined;
  const nodesListed = new Promise<void>((resolve) => {
    release = resolve;
  });
  const wrapPort = (port: ClientPort): ClientPort => ({
    ...port,
    async list(resource, options) {
      if (resource.plural === 'nodes') await nodesListed;
      return port.list(resource, options);
    },
    async *watch(resource, options) {
      if (resource.plural === 'nodes') await nodesListed;
      yield* port.watch(resource, options);
    },
  });
  await using fixture = await createFixture({ objects: [n1, loadBalancerService('web')], wrapPort });
  await fixture.start();
  await fixture.pass(60_000);
  expect([fixture.controller.ready, fixture.cloud.takeCalls()]).toEqual([false, []]);
  release();
  await fixture.pass(60_000);
  expect(fixture.cloud.takeCalls().filter((request) => request !== 'list ')).toEqual(['ensure web n1']);
});

test('kubernetes#117375: a node that gets its providerID late causes another update of the load balancer', async () => {
  await using fixture = await createFixture({ objects: [n1, makeNode('n2'), loadBalancerService('web')], version: '1.36' });
  await fixture.start();
  fixture.cloud.takeCalls();
  await fixture.client.patch(resources.nodes, { name: 'n2' }, { spec: { providerID: 'cloud:///n2' } }, { type: 'merge' });
  await fixture.pass();
  expect(fixture.cloud.takeCalls()).toEqual(['update web n1 n2']);
});

test('kubernetes#53451, kubernetes#78124: a Service deleted while its cleanup fails leaves no load balancer after a restart', async () => {
  await using fixture = await createFixture({ objects: [n1, loadBalancerService('web')] });
  await fixture.start();
  fixture.cloud.intercept = ({ call }) => (call === 'delete' ? Promise.reject(new Error('the network is down')) : undefined);
  await fixture.delete('web');
  await fixture.pass();
  await fixture.stop();
  expect([fixture.cloud.loadBalancers.size, stateOf(await fixture.get('web'))]).toMatchObject([1, { finalizer: true }]);
  fixture.cloud.intercept = () => undefined;
  await fixture.start();
  expect([fixture.cloud.loadBalancers.size, await fixture.get('web')]).toEqual([0, undefined]);
});

test('kubernetes#80571: new nodes do not recreate the load balancer of a Service that is being deleted', async () => {
  await using fixture = await createFixture({ objects: [n1, loadBalancerService('web'), loadBalancerService('api')] });
  await fixture.start();
  fixture.cloud.takeCalls();
  await fixture.client.create(resources.nodes, makeNode('n2'));
  await fixture.delete('web');
  await fixture.pass(60_000);
  expect(fixture.cloud.takeCalls().sort()).toEqual(['delete web', 'get web', 'update api n1 n2']);
  expect(fixture.cloud.loadBalancers.size).toBe(1);
});
