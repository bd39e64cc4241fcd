import { describe, expect, it } from 'vitest';
import { createSliceReconciler, type SlicesInput } from '../../../src/incremental/slices/reconciler.ts';
import { sliceSettingsFor } from '../../../src/spec/settings.ts';
import type { EndpointSliceInput, Service } from '../../../src/types/index.ts';
import { freezeDeeply } from '../../property/check.ts';
import { makePod, makeService } from '../../spec/objects.ts';
import {
  addressesOf,
  applyPlan,
  controller,
  key,
  makeEndpoint,
  makeNode,
  makeSlice,
  managedByLabel,
  ownLabels,
  serviceNameLabel,
  summarizePlan,
  triggerTime,
} from '../../spec/slices/objects.ts';

const createTestReconciler = (version = '1.37', max = 3, timeZone?: string) =>
  createSliceReconciler(sliceSettingsFor({ version, maxEndpointsPerSlice: max, ...(timeZone !== undefined && { timeZone }) }));
const input = (fields: Partial<SlicesInput> = {}): SlicesInput => ({
  key,
  service: makeService(),
  pods: [makePod()],
  current: [],
  ...fields,
});
const plan = (fields: Partial<SlicesInput>, version?: string) => createTestReconciler(version).reconcileSlices(input(fields));
const matchingSlice = makeSlice('s', [makeEndpoint()]);
const sliceWithLabels = (labels: Record<string, string>, metadata: EndpointSliceInput['metadata'] = {}) =>
  makeSlice('f', [makeEndpoint('x')], { metadata: { ...metadata, labels } });

describe('reconcileSlices', () => {
  // `expected` has the numbers of slices to create, update and delete, and the reasons.
  it.each<{ name: string; fields: Partial<SlicesInput>; version?: string; expected: string }>([
    { name: 'a deleted Service', fields: { service: undefined, current: [matchingSlice] }, expected: '0 0 0 ServiceDeleted' },
    {
      name: 'no selector',
      fields: { service: makeService({ selector: null }), current: [matchingSlice] },
      expected: '0 0 0 ServiceHasNoSelector',
    },
    { name: 'ExternalName', fields: { service: makeService({ type: 'ExternalName' }) }, expected: '0 0 0 ServiceIsExternalName' },
    { name: 'ExternalName', fields: { service: makeService({ type: 'ExternalName' }) }, version: '1.26', expected: '1 0 0 EndpointsAdded' },
    { name: 'no slices', fields: {}, expected: '1 0 0 EndpointsAdded' },
    { name: 'all slices match', fields: { current: [matchingSlice] }, expected: '0 0 0 SlicesEqual' },
    { name: 'the same slice twice', fields: { current: [matchingSlice, { ...matchingSlice }] }, expected: '0 0 0 SlicesEqual' },
    { name: 'no pods', fields: { pods: [] }, expected: '1 0 0 Placeholder' },
    {
      name: 'pods of other namespaces',
      fields: { pods: [makePod('x', { metadata: { namespace: 'other' } }), {}] },
      expected: '1 0 0 Placeholder',
    },
    {
      name: 'another managed-by',
      fields: { current: [sliceWithLabels({ ...ownLabels, [managedByLabel]: 'mesh' }), matchingSlice] },
      expected: '0 0 0 SlicesEqual',
    },
    {
      name: 'no managed-by',
      fields: { current: [sliceWithLabels({ [serviceNameLabel]: 'web' }), matchingSlice] },
      expected: '0 0 0 SlicesEqual',
    },
    {
      name: 'no Service',
      fields: { current: [sliceWithLabels({ [managedByLabel]: controller }), matchingSlice] },
      expected: '0 0 0 SlicesEqual',
    },
    {
      name: 'another Service',
      fields: { current: [sliceWithLabels({ ...ownLabels, [serviceNameLabel]: 'db' }), matchingSlice] },
      expected: '0 0 0 SlicesEqual',
    },
    {
      name: 'another namespace',
      fields: { current: [sliceWithLabels(ownLabels, { namespace: 'other' }), matchingSlice] },
      expected: '0 0 0 SlicesEqual',
    },
    { name: 'no metadata', fields: { current: [{}, { metadata: null }, matchingSlice] }, expected: '0 0 0 SlicesEqual' },
    {
      name: 'a slice that is being deleted',
      fields: { current: [{ ...matchingSlice, metadata: { ...matchingSlice.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } }] },
      expected: '1 0 0 EndpointsAdded',
    },
    {
      name: 'a slice that is being deleted',
      fields: { current: [{ ...matchingSlice, metadata: { ...matchingSlice.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } }] },
      version: '1.24.1',
      expected: '0 0 0 SlicesEqual',
    },
    { name: 'a missing node', fields: { nodes: [] }, expected: '1 0 0 NodeMissing Placeholder' },
  ])('plans for $name in $version: $expected', ({ fields, version, expected }) => {
    const slicePlan = plan(freezeDeeply(fields), version);
    expect(summarizePlan(slicePlan)).toBe(expected);
    expect(slicePlan.retry).toBe(fields.nodes !== undefined);
  });

  it('processes slices in the order of their names', () => {
    const current = ['c', 'a', 'b'].map((name) => makeSlice(name, []));
    expect(plan({ current }).update.map(({ metadata }) => metadata.name)).toEqual(['a']);
  });

  it('reads zones from the nodes', () => {
    const { create } = plan({ nodes: [makeNode('n1', 'z')] });
    expect(create[0]?.endpoints[0]?.zone).toBe('z');
    const reconciler = createTestReconciler();
    expect(summarizePlan(reconciler.reconcileSlices(input({ nodes: [makeNode('n1', 'z')], current: create })))).toBe('0 0 0 SlicesEqual');
    expect(summarizePlan(reconciler.reconcileSlices(input({ nodes: [makeNode('n1', 'y')], current: create })))).toBe(
      '0 1 0 EndpointsDiffer',
    );
  });
});

describe('stale caches', () => {
  const sliceOfGeneration = (generation: number, name = 's') => makeSlice(name, [makeEndpoint()], { metadata: { generation } });

  it('retries if a slice is missing or shows an older generation than was written', () => {
    const reconciler = createTestReconciler();
    reconciler.observe(sliceOfGeneration(2));
    const stalePlan = reconciler.reconcileSlices(input({ current: [sliceOfGeneration(1)] }));
    expect([summarizePlan(stalePlan), stalePlan.retry]).toEqual(['0 0 0 SlicesStale', true]);
    expect(reconciler.reconcileSlices(input()).retry).toBe(true);
    expect(summarizePlan(reconciler.reconcileSlices(input({ current: [sliceOfGeneration(2)] })))).toBe('0 0 0 SlicesEqual');
    expect(summarizePlan(reconciler.reconcileSlices(input({ current: [sliceOfGeneration(3)] })))).toBe('0 0 0 SlicesEqual');
    expect(reconciler.reconcileSlices(input({ key: 'shop/db', service: makeService({}, { name: 'db' }) })).retry).toBe(false);
  });

  it('retries if a deleted slice is still shown', () => {
    const reconciler = createTestReconciler();
    reconciler.observe(sliceOfGeneration(1));
    reconciler.expectDeletion(sliceOfGeneration(1));
    expect(summarizePlan(reconciler.reconcileSlices(input({ current: [sliceOfGeneration(1)] })))).toBe('0 0 0 SlicesStale');
    expect(reconciler.handleDeletion(sliceOfGeneration(1))).toBe(true);
    expect(summarizePlan(reconciler.reconcileSlices(input()))).toBe('1 0 0 EndpointsAdded');
  });

  it('reports deletions by other clients, and does not wait for them', () => {
    const reconciler = createTestReconciler();
    reconciler.observe(sliceOfGeneration(1));
    expect(reconciler.handleDeletion(sliceOfGeneration(1))).toBe(false);
    expect(summarizePlan(reconciler.reconcileSlices(input()))).toBe('1 0 0 EndpointsAdded');
  });

  it.each<[string, (reconciler: ReturnType<typeof createTestReconciler>) => void]>([
    ['forget', (reconciler) => reconciler.forget(key)],
    ['a deletion of the Service', (reconciler) => reconciler.reconcileSlices(input({ service: undefined }))],
  ])('are not assumed after %s', (_, drop) => {
    const reconciler = createTestReconciler();
    reconciler.observe(sliceOfGeneration(9));
    expect(reconciler.reconcileSlices(input()).retry).toBe(true);
    drop(reconciler);
    expect(reconciler.reconcileSlices(input()).retry).toBe(false);
  });

  it('are not assumed after a write for an earlier Service of the same name', () => {
    const reconciler = createTestReconciler();
    const serviceWithUID = (uid: string): Service => makeService({}, { uid });
    reconciler.reconcileSlices(input({ service: serviceWithUID('s1') }));
    reconciler.observe(sliceOfGeneration(9));
    expect(reconciler.reconcileSlices(input({ service: serviceWithUID('s1') })).retry).toBe(true);
    expect(summarizePlan(reconciler.reconcileSlices(input({ service: serviceWithUID('s2'), current: [sliceOfGeneration(1)] })))).toBe(
      '1 0 1 SliceOfOtherService EndpointsAdded',
    );
  });
});

describe('reconcileSlices across syncs', () => {
  const podReadyAt = (readyAt: string) =>
    makePod('a', { status: { conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: readyAt }] } });
  const serviceWithCreation = makeService({}, { creationTimestamp: '2026-01-01T00:00:00Z' });

  it('sets the trigger time to the creation of the Service first, then to that of the change', () => {
    const reconciler = createTestReconciler();
    const first = reconciler.reconcileSlices(input({ service: serviceWithCreation }));
    expect(first.create[0]?.metadata.annotations).toEqual({ [triggerTime]: '2026-01-01T00:00:00Z' });
    const current = applyPlan([], first);
    const second = reconciler.reconcileSlices(
      input({ service: serviceWithCreation, pods: [podReadyAt('2026-01-02T00:00:00Z'), makePod('b')], current }),
    );
    expect(second.update[0]?.metadata.annotations).toEqual({ [triggerTime]: '2026-01-02T00:00:00Z' });
    const third = reconciler.reconcileSlices(
      input({ service: serviceWithCreation, pods: [podReadyAt('2026-01-02T00:00:00Z')], current: applyPlan(current, second) }),
    );
    expect(third.update[0]?.metadata.annotations).toBeUndefined();
  });

  it('writes the trigger time in the zone of the process before 1.22, then in UTC', () => {
    const [berlin, utc] = ['1.21', '1.22'].map((version) =>
      createTestReconciler(version, 3, 'Europe/Berlin').reconcileSlices(input({ service: serviceWithCreation })),
    );
    expect(berlin?.create[0]?.metadata.annotations).toEqual({ [triggerTime]: '2026-01-01T01:00:00+01:00' });
    expect(utc?.create[0]?.metadata.annotations).toEqual({ [triggerTime]: '2026-01-01T00:00:00Z' });
  });

  it('refuses an invalid timestamp without affecting the next sync', () => {
    const reconciler = createTestReconciler();
    expect(() => reconciler.reconcileSlices(input({ pods: [podReadyAt('then')], current: [matchingSlice] }))).toThrow(TypeError);
    expect(summarizePlan(reconciler.reconcileSlices(input({ current: [matchingSlice] })))).toBe('0 0 0 SlicesEqual');
    expect(() => reconciler.reconcileSlices(input({ pods: [makePod(), podReadyAt('then')], current: [matchingSlice] }))).toThrow(TypeError);
    expect(summarizePlan(reconciler.reconcileSlices(input({ current: [matchingSlice] })))).toBe('0 0 0 SlicesEqual');
  });

  it('reaches a state without further writes', () => {
    const reconciler = createTestReconciler();
    const pods = Array.from({ length: 7 }, (_, i) => makePod(`p${i}`, { ip: `10.0.0.${i}` }));
    let current: EndpointSliceInput[] = [];
    const sync = () => {
      const slicePlan = reconciler.reconcileSlices(input({ pods, current }));
      current = applyPlan(current, slicePlan, `s${current.length}`);
      return summarizePlan(slicePlan);
    };
    expect(sync()).toBe('3 0 0 EndpointsAdded');
    expect(addressesOf(current)).toEqual(['10.0.0.0 10.0.0.1 10.0.0.2', '10.0.0.3 10.0.0.4 10.0.0.5', '10.0.0.6']);
    expect(sync()).toBe('0 0 0 SlicesEqual');
    pods.splice(1, 1);
    expect(sync()).toBe('0 1 0 EndpointsDiffer');
    expect(addressesOf(current)).toEqual(['10.0.0.0 10.0.0.2', '10.0.0.3 10.0.0.4 10.0.0.5', '10.0.0.6']);
    pods.push(makePod('new', { ip: '10.0.0.9' }));
    expect(sync()).toBe('0 1 0 EndpointsAdded');
    pods.length = 0;
    expect(sync()).toBe('0 1 2 PortsNotWanted Placeholder');
    expect(sync()).toBe('0 0 0 SlicesEqual');
  });

  it('reports Services whose hints no longer match the nodes', () => {
    const reconciler = createTestReconciler('1.37', 10);
    const nodes = ['a', 'b'].map((name) => makeNode(name, name));
    const pods = Array.from({ length: 4 }, (_, i) => makePod(`p${i}`, { ip: `10.0.0.${i}`, spec: { nodeName: i % 2 ? 'a' : 'b' } }));
    const service = makeService({}, { annotations: { 'service.kubernetes.io/topology-mode': 'Auto' } });
    expect(reconciler.overloadedServices(nodes)).toEqual([]);
    reconciler.reconcileSlices(input({ service, pods, nodes }));
    expect(reconciler.overloadedServices(nodes)).toEqual([]);
    expect(reconciler.overloadedServices([...nodes, makeNode('c', 'c')])).toEqual([key]);
    expect(reconciler.overloadedServices([])).toEqual([key]);
    reconciler.forget(key);
    expect(reconciler.overloadedServices([])).toEqual([]);
  });
});
