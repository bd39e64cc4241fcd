import { expect, test } from 'vitest';
import { createCloud } from './cloud.ts';
import { createFixture, loadBalancerService, makeNode, stateOf } from './fixture.ts';

const finalizers = ['service.kubernetes.io/load-balancer-cleanup'];
const otherClass = { loadBalancerClass: 'example.com/other' };

/** Adds a loadBalancerClass to a Service while no controller is running. */
async function createReclassifiedFixture({ canList }: { readonly canList: boolean }) {
  const fixture = await createFixture({ objects: [makeNode('n1'), loadBalancerService('web')], cloud: createCloud({ list: canList }) });
  await fixture.start();
  await fixture.stop();
  await fixture.change('web', { spec: { type: 'ClusterIP' } });
  await fixture.change('web', { spec: { type: 'LoadBalancer', ...otherClass } });
  expect(stateOf(await fixture.get('web'))).toMatchObject({ finalizer: true });
  expect(fixture.cloud.loadBalancers.size).toBe(1);
  fixture.cloud.takeCalls();
  return fixture;
}

test.each([true, false])(
  'the controller cleans up a load balancer whose Service got a loadBalancerClass while no controller was running (cloud can list: %s)',
  async (canList) => {
    await using fixture = await createReclassifiedFixture({ canList });
    await fixture.start();
    expect(fixture.cloud.loadBalancers.size).toBe(0);
    expect(stateOf(await fixture.get('web'))).toEqual({ finalizer: false, ips: [] });
  },
);

test('the controller retries if the call to the cloud fails, and is not idle until it succeeds', async () => {
  await using fixture = await createReclassifiedFixture({ canList: false });
  fixture.cloud.intercept = ({ call }) => (call === 'get' ? Promise.reject(new Error('down')) : undefined);
  await fixture.start();
  expect([fixture.controller.idle, fixture.cloud.loadBalancers.size]).toEqual([false, 1]);
  expect(fixture.controller.stats().controllers['service-lb']).toMatchObject({ waiting: 0, processing: 0, delayed: 1 });
  fixture.cloud.intercept = () => undefined;
  await fixture.pass(30_000);
  expect([fixture.controller.idle, fixture.cloud.loadBalancers.size]).toEqual([true, 0]);
});

test('the controller keeps the finalizer of a Service with a class if the cloud has no load balancer for it', async () => {
  await using fixture = await createFixture({ objects: [makeNode('n1'), loadBalancerService('web', otherClass, { finalizers })] });
  await fixture.start();
  expect(fixture.cloud.takeCalls()).toEqual(['get web', 'list ']);
  await fixture.pass(600_000);
  expect(stateOf(await fixture.get('web'))).toMatchObject({ finalizer: true });
});

test('Kubernetes 1.17 ignores loadBalancerClass and makes no further cloud calls once the Service is verified', async () => {
  await using fixture = await createFixture({ objects: [makeNode('n1'), loadBalancerService('web', otherClass)], version: '1.17' });
  await fixture.start();
  await fixture.pass(400_000);
  fixture.cloud.takeCalls();
  await fixture.pass(1_200_000);
  expect(fixture.cloud.takeCalls()).toEqual(['list ', 'list ']);
});
