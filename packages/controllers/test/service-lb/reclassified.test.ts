import { expect, test } from 'vitest';
import { createCloud } from './cloud.ts';
import { balanced, createWorld, nodeNamed, stateOf } from './world.ts';

const finalizers = ['service.kubernetes.io/load-balancer-cleanup'];
const ofClass = { loadBalancerClass: 'example.com/other' };

/** Adds a loadBalancerClass to a Service while no controller is running. */
async function classed(list: boolean) {
  const world = await createWorld({ objects: [nodeNamed('n1'), balanced('web')], cloud: createCloud({ list }) });
  await world.start();
  await world.stop();
  await world.change('web', { spec: { type: 'ClusterIP' } });
  await world.change('web', { spec: { type: 'LoadBalancer', ...ofClass } });
  expect(stateOf(await world.get('web'))).toMatchObject({ finalizer: true });
  expect(world.cloud.held.size).toBe(1);
  world.cloud.takeCalls();
  return world;
}

test.each([true, false])(
  'cleans up a load balancer whose Service got a loadBalancerClass while no controller was running (cloud can list: %s)',
  async (list) => {
    await using world = await classed(list);
    await world.start();
    expect(world.cloud.held.size).toBe(0);
    expect(stateOf(await world.get('web'))).toEqual({ finalizer: false, ips: [] });
  },
);

test('retries if the cloud does not answer, and is not idle until then', async () => {
  await using world = await classed(false);
  world.cloud.intercept = ({ call }) => (call === 'get' ? Promise.reject(new Error('away')) : undefined);
  await world.start();
  expect([world.controller.idle, world.cloud.held.size]).toEqual([false, 1]);
  expect(world.controller.stats().controllers['service-lb']).toMatchObject({ waiting: 0, processing: 0, delayed: 1 });
  world.cloud.intercept = () => undefined;
  await world.pass(30_000);
  expect([world.controller.idle, world.cloud.held.size]).toEqual([true, 0]);
});

test('keeps the finalizer of a Service with a class if the cloud has no load balancer for it', async () => {
  await using world = await createWorld({ objects: [nodeNamed('n1'), balanced('web', ofClass, { finalizers })] });
  await world.start();
  expect(world.cloud.takeCalls()).toEqual(['get web', 'list ']);
  await world.pass(600_000);
  expect(stateOf(await world.get('web'))).toMatchObject({ finalizer: true });
});

test('version 1.17 ignores loadBalancerClass and makes no further cloud calls once the Service is verified', async () => {
  await using world = await createWorld({ objects: [nodeNamed('n1'), balanced('web', ofClass)], version: '1.17' });
  await world.start();
  await world.pass(400_000);
  world.cloud.takeCalls();
  await world.pass(1_200_000);
  expect(world.cloud.takeCalls()).toEqual(['list ', 'list ']);
});
