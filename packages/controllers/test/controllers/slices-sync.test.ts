import { createFaults } from '@kube-endpoints/apiserver';
import { createReconciler, type SlicePlan } from 'kube-endpoints';
import { resources } from 'kube-endpoints/port';
import type { EndpointSlice, EndpointSliceInput, Pod } from 'kube-endpoints/types';
import { describe, expect, test } from 'vitest';
import { pod, service } from '../../../cli/test/objects.ts';
import { sliceFigures } from '../../src/controllers/slices-sync.ts';
import { differencesFrom } from './convergence.ts';
import { createWorld, nodeFor, podFor, serviceFor } from './world.ts';

const { endpointSlices, events, services } = resources;
const controllers = ['endpointslices'] as const;
const dual = { ipFamilyPolicy: 'RequireDualStack', ipFamilies: ['IPv4', 'IPv6'] };
const manyPods = Array.from({ length: 7 }, (_, i) => podFor(`web-${i}`, { ip: `10.0.0.${i + 1}` }));

test('a failed write of one address type does not block the other type', async () => {
  const faults = createFaults({
    rules: [{ fault: 'internalError', verbs: ['create'], resources: ['endpointslices.discovery.k8s.io'], when: 'once' }],
  });
  const objects = [nodeFor('n1'), serviceFor('web', dual), ...manyPods];
  await using world = await createWorld({ objects, controllers, maxEndpointsPerSlice: 3, through: (port) => faults.port(port) });
  await world.start();
  const creates = world.sent();
  // The rest of the failed type waits for the next try; the placeholder of the other type does not.
  expect(creates.slice(0, 2)).toMatchObject([{ verb: 'create', failed: 'InternalError' }, { verb: 'create' }]);
  expect(creates).toHaveLength(5);
  expect(await differencesFrom(world.client, { controllers, maxEndpointsPerSlice: 3 })).toEqual([]);
  const reported = (await world.client.list(events)).items;
  expect(reported).toMatchObject([
    { reason: 'FailedToUpdateEndpointSlices', type: 'Warning', involvedObject: { kind: 'Service', name: 'web' } },
  ]);
});

test('pods on a missing node are retried up to maxRetries and added when the node is created', async () => {
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

test('topology hints are removed when new nodes leave a zone with too few endpoints', async () => {
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

test('a Service without a selector keeps its slices; a deleted Service leaves them to the garbage collector', async () => {
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

const emptyPlan: SlicePlan = { create: [], update: [], delete: [], events: [], retry: false, reasons: [] };
const key = 'shop/web';

const plan = (pods: readonly Pod[], current: readonly EndpointSliceInput[], maxEndpointsPerSlice = 2): SlicePlan =>
  createReconciler({ maxEndpointsPerSlice }).reconcileSlices({
    key,
    service: service('web'),
    pods,
    nodes: [{ metadata: { name: 'node-1' } }],
    current,
  });

const podsUpTo = (count: number): Pod[] => Array.from({ length: count }, (_, i) => pod(`web-${i}`, 'web', `10.0.0.${i + 1}`));

/** The slices after the plan is applied, each with its own name. */
const carriedOut = ({ create, update }: SlicePlan): EndpointSlice[] =>
  [...create, ...update].map((slice, i) => ({
    ...slice,
    metadata: { ...slice.metadata, name: slice.metadata.name ?? `web-${i}`, uid: `u${i}` },
  }));

describe('sliceFigures', () => {
  test('counts every endpoint as added if there are no slices', () => {
    expect(sliceFigures(plan(podsUpTo(5), []), [], 2)).toEqual({ existing: 0, desired: 3, endpoints: 5, added: 5, removed: 0 });
  });

  test('counts no changes if the slices are up to date', () => {
    const current = carriedOut(plan(podsUpTo(5), []));
    expect(sliceFigures(emptyPlan, current, 2)).toEqual({ existing: 3, desired: 3, endpoints: 5, added: 0, removed: 0 });
  });

  test('counts replaced pods but not a changed readiness', () => {
    const current = carriedOut(plan(podsUpTo(5), []));
    const [first, second, ...others] = podsUpTo(5) as [Pod, Pod, ...Pod[]];
    const changed = { ...first, status: { ...first.status, conditions: [{ type: 'Ready', status: 'False' }] } };
    const replaced = pod('web-new', 'web', '10.0.0.99');
    expect(second.metadata?.name).toBe('web-1');
    const figures = sliceFigures(plan([changed, replaced, ...others], current), current, 2);
    expect(figures).toMatchObject({ existing: 3, endpoints: 5, added: 1, removed: 1 });
  });

  test('counts every endpoint as removed if the Service is gone', () => {
    const current = carriedOut(plan(podsUpTo(5), []));
    const gone = createReconciler().reconcileSlices({ key, pods: [], current });
    const all: SlicePlan = {
      ...emptyPlan,
      delete: current.map(({ metadata }) => ({ ...gone.delete[0], metadata }) as SlicePlan['delete'][number]),
    };
    expect(sliceFigures(all, current, 2)).toEqual({ existing: 3, desired: 0, endpoints: 0, added: 0, removed: 5 });
  });
});
