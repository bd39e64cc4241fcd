import { describe, expect, it } from 'vitest';
import { createSliceReconciler, type SlicesInput } from '../../../src/incremental/slices/reconciler.ts';
import { sliceSettingsFor } from '../../../src/spec/settings.ts';
import type { EndpointSliceInput, Service } from '../../../src/types/index.ts';
import { freezeDeeply } from '../../property/check.ts';
import { makePod, makeService } from '../../spec/objects.ts';
import {
  addressesOf,
  applied,
  controller,
  key,
  makeEndpoint,
  makeNode,
  makeSlice,
  managedBy,
  outline,
  ownLabels,
  serviceName,
  triggerTime,
} from '../../spec/slices/objects.ts';

const make = (version = '1.37', max = 3, timeZone?: string) =>
  createSliceReconciler(sliceSettingsFor({ version, maxEndpointsPerSlice: max, ...(timeZone !== undefined && { timeZone }) }));
const input = (parts: Partial<SlicesInput> = {}): SlicesInput => ({
  key,
  service: makeService(),
  pods: [makePod()],
  current: [],
  ...parts,
});
const plan = (parts: Partial<SlicesInput>, version?: string) => make(version).reconcileSlices(input(parts));
const right = makeSlice('s', [makeEndpoint()]);
const labelled = (labels: Record<string, string>, metadata: EndpointSliceInput['metadata'] = {}) =>
  makeSlice('f', [makeEndpoint('x')], { metadata: { ...metadata, labels } });

describe('reconcileSlices', () => {
  it.each<{ name: string; parts: Partial<SlicesInput>; version?: string; expected: string }>([
    { name: 'a deleted Service', parts: { service: undefined, current: [right] }, expected: '0 0 0 ServiceDeleted' },
    { name: 'no selector', parts: { service: makeService({ selector: null }), current: [right] }, expected: '0 0 0 ServiceHasNoSelector' },
    { name: 'ExternalName', parts: { service: makeService({ type: 'ExternalName' }) }, expected: '0 0 0 ServiceIsExternalName' },
    { name: 'ExternalName', parts: { service: makeService({ type: 'ExternalName' }) }, version: '1.26', expected: '1 0 0 EndpointsAdded' },
    { name: 'nothing there', parts: {}, expected: '1 0 0 EndpointsAdded' },
    { name: 'all slices match', parts: { current: [right] }, expected: '0 0 0 SlicesEqual' },
    { name: 'the same slice twice', parts: { current: [right, { ...right }] }, expected: '0 0 0 SlicesEqual' },
    { name: 'no pods', parts: { pods: [] }, expected: '1 0 0 Placeholder' },
    {
      name: 'pods of other namespaces',
      parts: { pods: [makePod('x', { metadata: { namespace: 'other' } }), {}] },
      expected: '1 0 0 Placeholder',
    },
    {
      name: 'another managed-by',
      parts: { current: [labelled({ ...ownLabels, [managedBy]: 'mesh' }), right] },
      expected: '0 0 0 SlicesEqual',
    },
    { name: 'no managed-by', parts: { current: [labelled({ [serviceName]: 'web' }), right] }, expected: '0 0 0 SlicesEqual' },
    { name: 'no Service', parts: { current: [labelled({ [managedBy]: controller }), right] }, expected: '0 0 0 SlicesEqual' },
    {
      name: 'another Service',
      parts: { current: [labelled({ ...ownLabels, [serviceName]: 'db' }), right] },
      expected: '0 0 0 SlicesEqual',
    },
    { name: 'another namespace', parts: { current: [labelled(ownLabels, { namespace: 'other' }), right] }, expected: '0 0 0 SlicesEqual' },
    { name: 'no metadata', parts: { current: [{}, { metadata: null }, right] }, expected: '0 0 0 SlicesEqual' },
    {
      name: 'a slice that is being deleted',
      parts: { current: [{ ...right, metadata: { ...right.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } }] },
      expected: '1 0 0 EndpointsAdded',
    },
    {
      name: 'a slice that is being deleted',
      parts: { current: [{ ...right, metadata: { ...right.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } }] },
      version: '1.24.1',
      expected: '0 0 0 SlicesEqual',
    },
    { name: 'a missing node', parts: { nodes: [] }, expected: '1 0 0 NodeMissing Placeholder' },
  ])('$name in $version: $expected', ({ parts, version, expected }) => {
    const made = plan(freezeDeeply(parts), version);
    expect(outline(made)).toBe(expected);
    expect(made.retry).toBe(parts.nodes !== undefined);
  });

  it('processes slices in the order of their names', () => {
    const current = ['c', 'a', 'b'].map((name) => makeSlice(name, []));
    expect(plan({ current }).update.map(({ metadata }) => metadata.name)).toEqual(['a']);
  });

  it('takes zones from the nodes', () => {
    const { create } = plan({ nodes: [makeNode('n1', 'z')] });
    expect(create[0]?.endpoints[0]?.zone).toBe('z');
    const moved = make();
    expect(outline(moved.reconcileSlices(input({ nodes: [makeNode('n1', 'z')], current: create })))).toBe('0 0 0 SlicesEqual');
    expect(outline(moved.reconcileSlices(input({ nodes: [makeNode('n1', 'y')], current: create })))).toBe('0 1 0 EndpointsDiffer');
  });
});

describe('stale caches', () => {
  const written = (generation: number, name = 's') => makeSlice(name, [makeEndpoint()], { metadata: { generation } });

  it('retries if a slice is missing or shows an older generation than was written', () => {
    const reconciler = make();
    reconciler.observe(written(2));
    const put = reconciler.reconcileSlices(input({ current: [written(1)] }));
    expect([outline(put), put.retry]).toEqual(['0 0 0 SlicesStale', true]);
    expect(reconciler.reconcileSlices(input()).retry).toBe(true);
    expect(outline(reconciler.reconcileSlices(input({ current: [written(2)] })))).toBe('0 0 0 SlicesEqual');
    expect(outline(reconciler.reconcileSlices(input({ current: [written(3)] })))).toBe('0 0 0 SlicesEqual');
    expect(reconciler.reconcileSlices(input({ key: 'shop/db', service: makeService({}, { name: 'db' }) })).retry).toBe(false);
  });

  it('retries if a deleted slice is still shown', () => {
    const reconciler = make();
    reconciler.observe(written(1));
    reconciler.expectDeletion(written(1));
    expect(outline(reconciler.reconcileSlices(input({ current: [written(1)] })))).toBe('0 0 0 SlicesStale');
    expect(reconciler.handleDeletion(written(1))).toBe(true);
    expect(outline(reconciler.reconcileSlices(input()))).toBe('1 0 0 EndpointsAdded');
  });

  it('reports deletions by other clients, and does not wait for them', () => {
    const reconciler = make();
    reconciler.observe(written(1));
    expect(reconciler.handleDeletion(written(1))).toBe(false);
    expect(outline(reconciler.reconcileSlices(input()))).toBe('1 0 0 EndpointsAdded');
  });

  it.each<[string, (reconciler: ReturnType<typeof make>) => void]>([
    ['forget', (reconciler) => reconciler.forget(key)],
    ['a deletion of the Service', (reconciler) => reconciler.reconcileSlices(input({ service: undefined }))],
  ])('are not assumed after %s', (_, drop) => {
    const reconciler = make();
    reconciler.observe(written(9));
    expect(reconciler.reconcileSlices(input()).retry).toBe(true);
    drop(reconciler);
    expect(reconciler.reconcileSlices(input()).retry).toBe(false);
  });

  it('are not assumed after a write for an earlier Service of the same name', () => {
    const reconciler = make();
    const of = (uid: string): Service => makeService({}, { uid });
    reconciler.reconcileSlices(input({ service: of('s1') }));
    reconciler.observe(written(9));
    expect(reconciler.reconcileSlices(input({ service: of('s1') })).retry).toBe(true);
    expect(outline(reconciler.reconcileSlices(input({ service: of('s2'), current: [written(1)] })))).toBe(
      '1 0 1 SliceOfOtherService EndpointsAdded',
    );
  });
});

describe('reconcileSlices across syncs', () => {
  const times = (readyAt: string) =>
    makePod('a', { status: { conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: readyAt }] } });
  const born = makeService({}, { creationTimestamp: '2026-01-01T00:00:00Z' });

  it('sets the trigger time to the creation of the Service first, then to that of the change', () => {
    const reconciler = make();
    const first = reconciler.reconcileSlices(input({ service: born }));
    expect(first.create[0]?.metadata.annotations).toEqual({ [triggerTime]: '2026-01-01T00:00:00Z' });
    const current = applied([], first);
    const second = reconciler.reconcileSlices(input({ service: born, pods: [times('2026-01-02T00:00:00Z'), makePod('b')], current }));
    expect(second.update[0]?.metadata.annotations).toEqual({ [triggerTime]: '2026-01-02T00:00:00Z' });
    const third = reconciler.reconcileSlices(
      input({ service: born, pods: [times('2026-01-02T00:00:00Z')], current: applied(current, second) }),
    );
    expect(third.update[0]?.metadata.annotations).toBeUndefined();
  });

  it('writes the trigger time in the zone of the process before 1.22, then in UTC', () => {
    const [berlin, utc] = ['1.21', '1.22'].map((version) => make(version, 3, 'Europe/Berlin').reconcileSlices(input({ service: born })));
    expect(berlin?.create[0]?.metadata.annotations).toEqual({ [triggerTime]: '2026-01-01T01:00:00+01:00' });
    expect(utc?.create[0]?.metadata.annotations).toEqual({ [triggerTime]: '2026-01-01T00:00:00Z' });
  });

  it('refuses an invalid timestamp without affecting the next sync', () => {
    const reconciler = make();
    expect(() => reconciler.reconcileSlices(input({ pods: [times('then')], current: [right] }))).toThrow(TypeError);
    expect(outline(reconciler.reconcileSlices(input({ current: [right] })))).toBe('0 0 0 SlicesEqual');
    expect(() => reconciler.reconcileSlices(input({ pods: [makePod(), times('then')], current: [right] }))).toThrow(TypeError);
    expect(outline(reconciler.reconcileSlices(input({ current: [right] })))).toBe('0 0 0 SlicesEqual');
  });

  it('reaches a state without further writes', () => {
    const reconciler = make();
    const pods = Array.from({ length: 7 }, (_, i) => makePod(`p${i}`, { ip: `10.0.0.${i}` }));
    let current: EndpointSliceInput[] = [];
    const sync = () => {
      const made = reconciler.reconcileSlices(input({ pods, current }));
      current = applied(current, made, `s${current.length}`);
      return outline(made);
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
    const reconciler = make('1.37', 10);
    const nodes = ['a', 'b'].map((name) => makeNode(name, name));
    const pods = Array.from({ length: 4 }, (_, i) => makePod(`p${i}`, { ip: `10.0.0.${i}`, spec: { nodeName: i % 2 ? 'a' : 'b' } }));
    const service = makeService({}, { annotations: { 'service.kubernetes.io/topology-mode': 'Auto' } });
    expect(reconciler.overloaded(nodes)).toEqual([]);
    reconciler.reconcileSlices(input({ service, pods, nodes }));
    expect(reconciler.overloaded(nodes)).toEqual([]);
    expect(reconciler.overloaded([...nodes, makeNode('c', 'c')])).toEqual([key]);
    expect(reconciler.overloaded([])).toEqual([key]);
    reconciler.forget(key);
    expect(reconciler.overloaded([])).toEqual([]);
  });
});
