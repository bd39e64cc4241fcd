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

describe('what is planned', () => {
  it.each<{ name: string; parts: Partial<SlicesInput>; version?: string; expected: string }>([
    { name: 'a Service that is deleted', parts: { service: undefined, current: [right] }, expected: '0 0 0 ServiceDeleted' },
    { name: 'no selector', parts: { service: makeService({ selector: null }), current: [right] }, expected: '0 0 0 ServiceHasNoSelector' },
    { name: 'ExternalName', parts: { service: makeService({ type: 'ExternalName' }) }, expected: '0 0 0 ServiceIsExternalName' },
    { name: 'ExternalName', parts: { service: makeService({ type: 'ExternalName' }) }, version: '1.26', expected: '1 0 0 EndpointsAdded' },
    { name: 'nothing there', parts: {}, expected: '1 0 0 EndpointsAdded' },
    { name: 'all is right', parts: { current: [right] }, expected: '0 0 0 SlicesEqual' },
    { name: 'the same slice twice', parts: { current: [right, { ...right }] }, expected: '0 0 0 SlicesEqual' },
    { name: 'no pods', parts: { pods: [] }, expected: '1 0 0 Placeholder' },
    { name: 'pods of others', parts: { pods: [makePod('x', { metadata: { namespace: 'other' } }), {}] }, expected: '1 0 0 Placeholder' },
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
      name: 'one that is being deleted',
      parts: { current: [{ ...right, metadata: { ...right.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } }] },
      expected: '1 0 0 EndpointsAdded',
    },
    {
      name: 'one that is being deleted',
      parts: { current: [{ ...right, metadata: { ...right.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } }] },
      version: '1.24.1',
      expected: '0 0 0 SlicesEqual',
    },
    { name: 'a node that is missing', parts: { nodes: [] }, expected: '1 0 0 NodeMissing Placeholder' },
  ])('$name in $version: $expected', ({ parts, version, expected }) => {
    const made = plan(freezeDeeply(parts), version);
    expect(outline(made)).toBe(expected);
    expect(made.retry).toBe(parts.nodes !== undefined);
  });

  it('slices are taken by name, whatever order they come in', () => {
    const current = ['c', 'a', 'b'].map((name) => makeSlice(name, []));
    expect(plan({ current }).update.map(({ metadata }) => metadata.name)).toEqual(['a']);
  });

  it('zones come from the nodes', () => {
    const { create } = plan({ nodes: [makeNode('n1', 'z')] });
    expect(create[0]?.endpoints[0]?.zone).toBe('z');
    const moved = make();
    expect(outline(moved.reconcileSlices(input({ nodes: [makeNode('n1', 'z')], current: create })))).toBe('0 0 0 SlicesEqual');
    expect(outline(moved.reconcileSlices(input({ nodes: [makeNode('n1', 'y')], current: create })))).toBe('0 1 0 EndpointsDiffer');
  });
});

describe('stale caches', () => {
  const written = (generation: number, name = 's') => makeSlice(name, [makeEndpoint()], { metadata: { generation } });

  it('a sync over an older generation, or without a slice that was written, is put off', () => {
    const reconciler = make();
    reconciler.observe(written(2));
    const put = reconciler.reconcileSlices(input({ current: [written(1)] }));
    expect([outline(put), put.retry]).toEqual(['0 0 0 SlicesStale', true]);
    expect(reconciler.reconcileSlices(input()).retry).toBe(true);
    expect(outline(reconciler.reconcileSlices(input({ current: [written(2)] })))).toBe('0 0 0 SlicesEqual');
    expect(outline(reconciler.reconcileSlices(input({ current: [written(3)] })))).toBe('0 0 0 SlicesEqual');
    expect(reconciler.reconcileSlices(input({ key: 'shop/db', service: makeService({}, { name: 'db' }) })).retry).toBe(false);
  });

  it('a sync that still shows a slice that is deleted is put off', () => {
    const reconciler = make();
    reconciler.observe(written(1));
    reconciler.expectDeletion(written(1));
    expect(outline(reconciler.reconcileSlices(input({ current: [written(1)] })))).toBe('0 0 0 SlicesStale');
    expect(reconciler.handleDeletion(written(1))).toBe(true);
    expect(outline(reconciler.reconcileSlices(input()))).toBe('1 0 0 EndpointsAdded');
  });

  it('a deletion by others is told, and not waited for', () => {
    const reconciler = make();
    reconciler.observe(written(1));
    expect(reconciler.handleDeletion(written(1))).toBe(false);
    expect(outline(reconciler.reconcileSlices(input()))).toBe('1 0 0 EndpointsAdded');
  });

  it.each<[string, (reconciler: ReturnType<typeof make>) => void]>([
    ['forget', (reconciler) => reconciler.forget(key)],
    ['a deletion of the Service', (reconciler) => reconciler.reconcileSlices(input({ service: undefined }))],
  ])('%s makes nothing stale', (_, drop) => {
    const reconciler = make();
    reconciler.observe(written(9));
    expect(reconciler.reconcileSlices(input()).retry).toBe(true);
    drop(reconciler);
    expect(reconciler.reconcileSlices(input()).retry).toBe(false);
  });

  it('what was written for an earlier Service of the name is forgotten', () => {
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

describe('from sync to sync', () => {
  const times = (readyAt: string) =>
    makePod('a', { status: { conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: readyAt }] } });
  const born = makeService({}, { creationTimestamp: '2026-01-01T00:00:00Z' });

  it('the trigger time is that of the Service first, then that of what changed', () => {
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

  it('the trigger time is written in the zone of the process, before it was in UTC', () => {
    const [berlin, utc] = ['1.21', '1.22'].map((version) => make(version, 3, 'Europe/Berlin').reconcileSlices(input({ service: born })));
    expect(berlin?.create[0]?.metadata.annotations).toEqual({ [triggerTime]: '2026-01-01T01:00:00+01:00' });
    expect(utc?.create[0]?.metadata.annotations).toEqual({ [triggerTime]: '2026-01-01T00:00:00Z' });
  });

  it('a timestamp that is none is refused, and does no harm to the next sync', () => {
    const reconciler = make();
    expect(() => reconciler.reconcileSlices(input({ pods: [times('then')], current: [right] }))).toThrow(TypeError);
    expect(outline(reconciler.reconcileSlices(input({ current: [right] })))).toBe('0 0 0 SlicesEqual');
    expect(() => reconciler.reconcileSlices(input({ pods: [makePod(), times('then')], current: [right] }))).toThrow(TypeError);
    expect(outline(reconciler.reconcileSlices(input({ current: [right] })))).toBe('0 0 0 SlicesEqual');
  });

  it('a write is followed until nothing is left to do', () => {
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

  it('tells which Services have hints that no longer fit the nodes', () => {
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
