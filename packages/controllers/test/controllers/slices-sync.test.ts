import { createFaults } from '@kube-endpoints/apiserver';
import { resources } from 'kube-endpoints/port';
import { expect, test } from 'vitest';
import { differencesFrom } from './convergence.ts';
import { createWorld, nodeFor, podFor, serviceFor } from './world.ts';

const { endpointSlices, events, services } = resources;
const controllers = ['endpointslices'] as const;
const dual = { ipFamilyPolicy: 'RequireDualStack', ipFamilies: ['IPv4', 'IPv6'] };
const manyPods = Array.from({ length: 7 }, (_, i) => podFor(`web-${i}`, { ip: `10.0.0.${i + 1}` }));

test('a type whose writes fail does not keep the other type from being written', async () => {
  const faults = createFaults({
    rules: [{ fault: 'internalError', verbs: ['create'], resources: ['endpointslices.discovery.k8s.io'], when: 'once' }],
  });
  const objects = [nodeFor('n1'), serviceFor('web', dual), ...manyPods];
  await using world = await createWorld({ objects, controllers, maxEndpointsPerSlice: 3, through: (port) => faults.port(port) });
  await world.start();
  const creates = world.sent();
  // What comes after the failure in its own type waits for the next try; the placeholder of the other type does not.
  expect(creates.slice(0, 2)).toMatchObject([{ verb: 'create', failed: 'InternalError' }, { verb: 'create' }]);
  expect(creates).toHaveLength(5);
  expect(await differencesFrom(world.client, { controllers, maxEndpointsPerSlice: 3 })).toEqual([]);
  const told = (await world.client.list(events)).items;
  expect(told).toMatchObject([
    { reason: 'FailedToUpdateEndpointSlices', type: 'Warning', involvedObject: { kind: 'Service', name: 'web' } },
  ]);
});

test('pods whose node is missing are told of, tried as often as is asked for, and come when it comes', async () => {
  const objects = [nodeFor('n1'), serviceFor('web'), podFor('web-0'), podFor('web-1', { ip: '10.0.0.2', node: 'n2' })];
  await using world = await createWorld({ objects, controllers, maxRetries: 2 });
  await world.start();
  await world.pass(600_000);
  expect(world.outcomes('endpointslices', 'shop/web')).toEqual(['retried', 'retried', 'dropped']);
  expect(world.sent()).toHaveLength(1);
  await world.client.create(resources.nodes, nodeFor('n2'));
  await world.pass();
  expect(world.sent().map(({ verb }) => verb)).toEqual(['update']);
  expect(world.outcomes('endpointslices', 'shop/web').at(-1)).toBe('success');
});

test('hints by topology follow the nodes when they leave a zone with too few endpoints', async () => {
  const zones = ['a', 'b', 'c'];
  const service = serviceFor('web');
  const annotated = { ...service, metadata: { ...service.metadata, annotations: { 'service.kubernetes.io/topology-mode': 'Auto' } } };
  const objects = [
    ...zones.map((zone) => nodeFor(`n-${zone}`, zone)),
    annotated,
    ...Array.from({ length: 9 }, (_, i) => podFor(`web-${i}`, { ip: `10.0.0.${i + 1}`, node: `n-${zones[i % 3]}` })),
  ];
  await using world = await createWorld({ objects, controllers });
  await world.start();
  expect(JSON.stringify((await world.client.list(endpointSlices)).items)).toContain('forZones');
  world.sent();
  for (let i = 0; i < 9; i++) await world.client.create(resources.nodes, nodeFor(`more-${i}`, 'a'));
  await world.pass();
  expect(world.sent().map(({ verb }) => verb)).toEqual(['update']);
  expect((await world.client.list(events)).items.map(({ reason }) => reason)).toContain('TopologyAwareHintsEnabled');
});

test('a Service that loses its selector keeps its slices, one that is deleted leaves them to the garbage collector', async () => {
  const objects = [nodeFor('n1'), serviceFor('web'), podFor('web-1')];
  await using world = await createWorld({ objects, controllers });
  await world.start();
  world.sent();
  await world.client.patch(services, { namespace: 'shop', name: 'web' }, { spec: { selector: null } }, { type: 'merge' });
  await world.pass(60_000);
  expect((await world.client.list(endpointSlices)).items).toHaveLength(1);
  await world.client.delete(services, { namespace: 'shop', name: 'web' });
  await world.pass(60_000);
  expect(world.sent()).toEqual([]);
  expect((await world.client.list(endpointSlices)).items).toEqual([]);
});
