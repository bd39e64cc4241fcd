import { expect, test } from 'vitest';
import { createCloud } from './cloud.ts';
import { balanced, createWorld, nodeNamed, stateOf } from './world.ts';

const finalizers = ['service.kubernetes.io/load-balancer-cleanup'];
const ofClass = { loadBalancerClass: 'example.com/other' };

/** A Service gets a class while no controller is there. */
async function classed(list: boolean) {
  const world = await createWorld({ objects: [nodeNamed('n1'), balanced('web')], cloud: createCloud({ list }) });
  await world.start();
  await world.stop();
  await world.change('web', { spec: { type: 'ClusterIP' } });
  await world.change('web', { spec: { type: 'LoadBalancer', ...ofClass } });
  expect(stateOf(await world.get('web'))).toMatchObject({ finalizer: true });
  expect(world.cloud.held.size).toBe(1);
  world.cloud.asked();
  return world;
}

test.each([true, false])(
  'a load balancer whose Service got a class while nobody looked is cleaned up (a cloud that can list: %s)',
  async (list) => {
    await using world = await classed(list);
    await world.start();
    expect(world.cloud.held.size).toBe(0);
    expect(stateOf(await world.get('web'))).toEqual({ finalizer: false, ips: [] });
  },
);

test('a cloud that does not answer is asked again, and until then nothing is at rest', async () => {
  await using world = await classed(false);
  world.cloud.twist = ({ call }) => (call === 'get' ? Promise.reject(new Error('away')) : undefined);
  await world.start();
  expect([world.controller.idle, world.cloud.held.size]).toEqual([false, 1]);
  expect(world.controller.stats().controllers['service-lb']).toMatchObject({ waiting: 0, processing: 0, delayed: 1 });
  world.cloud.twist = () => undefined;
  await world.pass(30_000);
  expect([world.controller.idle, world.cloud.held.size]).toEqual([true, 0]);
});

test('where the cloud has none of a Service, it is left to whom it belongs by its class, with its finalizer', async () => {
  await using world = await createWorld({ objects: [nodeNamed('n1'), balanced('web', ofClass, { finalizers })] });
  await world.start();
  expect(world.cloud.asked()).toEqual(['get web', 'list ']);
  await world.pass(600_000);
  expect(stateOf(await world.get('web'))).toMatchObject({ finalizer: true });
});

test('before classes were left alone, a Service of one is like any other, and nothing is made sure of without need', async () => {
  await using world = await createWorld({ objects: [nodeNamed('n1'), balanced('web', ofClass)], version: '1.17' });
  await world.start();
  await world.pass(400_000);
  world.cloud.asked();
  await world.pass(1_200_000);
  expect(world.cloud.asked()).toEqual(['list ', 'list ']);
});
