import { expect, test } from 'vitest';
import { withBacklogs } from '../../src/service-lb/claims.ts';
import { createCloud } from './cloud.ts';
import { balanced, createWorld, nodeNamed } from './world.ts';

test('adds up what there is to do, and leaves the rest', () => {
  const one = { waiting: 1, processing: 2, delayed: 3 };
  expect(withBacklogs({ ...one, writes: 9 }, [one, { waiting: 10, processing: 0, delayed: 0 }])).toEqual({
    ...{ waiting: 12, processing: 4, delayed: 6 },
    writes: 9,
  });
});

test('load balancers that cannot be deleted, and a cloud that cannot list, are among it', async () => {
  const cloud = createCloud();
  cloud.held.set('u1', { service: { metadata: { namespace: 'shop', name: 'gone' } }, nodes: [] });
  let wrong = 'delete';
  cloud.twist = ({ call }) => (call === wrong ? Promise.reject(new Error('down')) : undefined);
  await using world = await createWorld({ objects: [nodeNamed('n1'), balanced('web')], cloud });
  const backlog = (): unknown => world.controller.stats().controllers['service-lb'];
  await world.start();
  expect(backlog()).toMatchObject({ waiting: 0, processing: 0, delayed: 1 });
  wrong = 'list';
  await world.pass(600_000);
  expect(cloud.held.has('u1')).toBe(false);
  expect(backlog()).toMatchObject({ waiting: 0, processing: 0, delayed: 1 });
  wrong = '';
  await world.pass(30_000);
  expect(backlog()).toMatchObject({ waiting: 0, processing: 0, delayed: 0 });
});
