import { createFaults } from '@kube-endpoints/apiserver';
import { createReconciler, type SlicePlan } from 'kube-endpoints';
import { resources } from 'kube-endpoints/port';
import type { EndpointSlice, EndpointSliceInput, Pod } from 'kube-endpoints/types';
import { describe, expect, test } from 'vitest';
import { pod, service } from '../../../cli/test/objects.ts';
import { computeSliceFigures } from '../../src/controllers/slices-sync.ts';
import { differencesFrom } from './convergence.ts';
import { createControllersFixture, nodeFor, podFor, serviceFor } from './fixture.ts';

const { endpointSlices, events, services } = resources;
const controllers = ['endpointslices'] as const;
const dualStackSpec = { ipFamilyPolicy: 'RequireDualStack', ipFamilies: ['IPv4', 'IPv6'] };
const manyPods = Array.from({ length: 7 }, (_, i) => podFor(`web-${i}`, { ip: `10.0.0.${i + 1}` }));

test('a failed write of one address type does not block the other type', async () => {
  const faults = createFaults({
    rules: [{ fault: 'internalError', verbs: ['create'], resources: ['endpointslices.discovery.k8s.io'], when: 'once' }],
  });
  const objects = [nodeFor('n1'), serviceFor('web', dualStackSpec), ...manyPods];
  await using fixture = await createControllersFixture({
    objects,
    controllers,
    maxEndpointsPerSlice: 3,
    wrapPort: (port) => faults.port(port),
  });
  await fixture.start();
  const creates = fixture.takeWrites();
  // The other writes of the failed type wait for the retry; the placeholder of the other type does not.
  expect(creates.slice(0, 2)).toMatchObject([{ verb: 'create', failed: 'InternalError' }, { verb: 'create' }]);
  expect(creates).toHaveLength(5);
  expect(await differencesFrom(fixture.client, { controllers, maxEndpointsPerSlice: 3 })).toEqual([]);
  const eventObjects = (await fixture.client.list(events)).items;
  expect(eventObjects).toMatchObject([
    { reason: 'FailedToUpdateEndpointSlices', type: 'Warning', involvedObject: { kind: 'Service', name: 'web' } },
  ]);
});

test('pods on a missing node are retried up to maxRetries and added when the node is created', async () => {
  const objects = [nodeFor('n1'), serviceFor('web'), podFor('web-0'), podFor('web-1', { ip: '10.0.0.2', node: 'n2' })];
  await using fixture = await createControllersFixture({ objects, controllers, maxRetries: 2 });
  await fixture.start();
  await fixture.pass(600_000);
  expect(fixture.outcomes('endpointslices', 'shop/web')).toEqual(['retried', 'retried', 'dropped']);
  expect(fixture.takeWrites()).toHaveLength(1);
  await fixture.client.create(resources.nodes, nodeFor('n2'));
  await fixture.pass();
  expect(fixture.takeWrites().map(({ verb }) => verb)).toEqual(['update']);
  expect(fixture.outcomes('endpointslices', 'shop/web').at(-1)).toBe('success');
});

test('topology hints are removed when new nodes leave a zone with too few endpoints', async () => {
  const zones = ['a', 'b', 'c'];
  const service = serviceFor('web');
  const annotatedService = {
    ...service,
    metadata: { ...service.metadata, annotations: { 'service.kubernetes.io/topology-mode': 'Auto' } },
  };
  const objects = [
    ...zones.map((zone) => nodeFor(`n-${zone}`, zone)),
    annotatedService,
    ...Array.from({ length: 9 }, (_, i) => podFor(`web-${i}`, { ip: `10.0.0.${i + 1}`, node: `n-${zones[i % 3]}` })),
  ];
  await using fixture = await createControllersFixture({ objects, controllers });
  await fixture.start();
  expect(JSON.stringify((await fixture.client.list(endpointSlices)).items)).toContain('forZones');
  fixture.takeWrites();
  for (let i = 0; i < 9; i++) await fixture.client.create(resources.nodes, nodeFor(`more-${i}`, 'a'));
  await fixture.pass();
  expect(fixture.takeWrites().map(({ verb }) => verb)).toEqual(['update']);
  expect((await fixture.client.list(events)).items.map(({ reason }) => reason)).toContain('TopologyAwareHintsEnabled');
});

test('a Service without a selector keeps its slices; a deleted Service leaves them to the garbage collector', async () => {
  const objects = [nodeFor('n1'), serviceFor('web'), podFor('web-1')];
  await using fixture = await createControllersFixture({ objects, controllers });
  await fixture.start();
  fixture.takeWrites();
  await fixture.client.patch(services, { namespace: 'shop', name: 'web' }, { spec: { selector: null } }, { type: 'merge' });
  await fixture.pass(60_000);
  expect((await fixture.client.list(endpointSlices)).items).toHaveLength(1);
  await fixture.client.delete(services, { namespace: 'shop', name: 'web' });
  await fixture.pass(60_000);
  expect(fixture.takeWrites()).toEqual([]);
  expect((await fixture.client.list(endpointSlices)).items).toEqual([]);
});

const emptyPlan: SlicePlan = { create: [], update: [], delete: [], events: [], retry: false, reasons: [] };
const key = 'shop/web';

const makePlan = (pods: readonly Pod[], current: readonly EndpointSliceInput[], maxEndpointsPerSlice = 2): SlicePlan =>
  createReconciler({ maxEndpointsPerSlice }).reconcileSlices({
    key,
    service: service('web'),
    pods,
    nodes: [{ metadata: { name: 'node-1' } }],
    current,
  });

const makePods = (count: number): Pod[] => Array.from({ length: count }, (_, i) => pod(`web-${i}`, 'web', `10.0.0.${i + 1}`));

/** The slices after the plan is applied, each with its own name. */
const applyPlan = ({ create, update }: SlicePlan): EndpointSlice[] =>
  [...create, ...update].map((slice, i) => ({
    ...slice,
    metadata: { ...slice.metadata, name: slice.metadata.name ?? `web-${i}`, uid: `u${i}` },
  }));

describe('computeSliceFigures', () => {
  test('counts every endpoint as added if there are no slices', () => {
    expect(computeSliceFigures(makePlan(makePods(5), []), [], 2)).toEqual({ existing: 0, desired: 3, endpoints: 5, added: 5, removed: 0 });
  });

  test('counts no changes if the slices are up to date', () => {
    const current = applyPlan(makePlan(makePods(5), []));
    expect(computeSliceFigures(emptyPlan, current, 2)).toEqual({ existing: 3, desired: 3, endpoints: 5, added: 0, removed: 0 });
  });

  test('counts replaced pods but not a changed readiness', () => {
    const current = applyPlan(makePlan(makePods(5), []));
    const [first, second, ...others] = makePods(5) as [Pod, Pod, ...Pod[]];
    const changed = { ...first, status: { ...first.status, conditions: [{ type: 'Ready', status: 'False' }] } };
    const replaced = pod('web-new', 'web', '10.0.0.99');
    expect(second.metadata?.name).toBe('web-1');
    const figures = computeSliceFigures(makePlan([changed, replaced, ...others], current), current, 2);
    expect(figures).toMatchObject({ existing: 3, endpoints: 5, added: 1, removed: 1 });
  });

  test('counts every endpoint as removed if the Service is gone', () => {
    const current = applyPlan(makePlan(makePods(5), []));
    const deletionPlan = createReconciler().reconcileSlices({ key, pods: [], current });
    const fullPlan: SlicePlan = {
      ...emptyPlan,
      delete: current.map(({ metadata }) => ({ ...deletionPlan.delete[0], metadata }) as SlicePlan['delete'][number]),
    };
    expect(computeSliceFigures(fullPlan, current, 2)).toEqual({ existing: 3, desired: 0, endpoints: 0, added: 0, removed: 5 });
  });
});
