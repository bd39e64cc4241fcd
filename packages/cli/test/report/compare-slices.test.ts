import { computeEndpointSlices, mirrorEndpoints } from 'kube-endpoints';
import type { EndpointSlice, EndpointSliceInput } from 'kube-endpoints/types';
import { describe, expect, test } from 'vitest';
import { compareAllSlices, createSlicesComparer } from '../../src/report/compare-slices.ts';
import { endpoints, node, pod, scopeOf, service, slice } from '../objects.ts';

const web = service('web');
const pods = [pod('a', 'web', '10.0.0.1'), pod('b', 'web', '10.0.0.2')];
const nodes = [node('node-1', 'zone-a')];
const noInvalidObjects: ReadonlySet<string> = new Set();
const createComputedSlice = (version = '1.37', index = 1): EndpointSlice => {
  const [computed] = computeEndpointSlices(web, pods, { version, nodes }) as [EndpointSlice];
  return { ...computed, metadata: { ...computed.metadata, name: `web-${index}` } };
};
const compare = (slices: readonly EndpointSliceInput[], version = '1.37', target = web) =>
  createSlicesComparer(scopeOf({ services: [target], pods, nodes, slices }), { version })(target);
const formatActions = ({ changes }: { readonly changes: readonly { action: string; name: string }[] }) =>
  changes.map(({ action, name }) => `${action} ${name}`);

describe('the comparison of the slices of a Service', () => {
  test.each<[string, readonly EndpointSliceInput[], string, string[]]>([
    ['is equal for the computed slice', [createComputedSlice()], 'equal', []],
    ['is missing without slices', [], 'missing', ['create web-*']],
    [
      'differs with an additional endpoint',
      [{ ...createComputedSlice(), endpoints: [...createComputedSlice().endpoints, { addresses: ['1.1.1.1'] }] }],
      'differs',
      ['update web-1'],
    ],
    [
      'differs with a duplicate endpoint',
      [{ ...createComputedSlice(), endpoints: [...createComputedSlice().endpoints, ...createComputedSlice().endpoints] }],
      'differs',
      ['update web-1'],
    ],
    [
      'differs for a slice of an earlier Service with the same name',
      [{ ...createComputedSlice(), metadata: { ...createComputedSlice().metadata, ownerReferences: [] } }],
      'differs',
      ['create web-*', 'delete web-1'],
    ],
    ['differs with two equal slices', [createComputedSlice(), createComputedSlice('1.37', 2)], 'differs', ['delete web-2']],
  ])('%s', (_, slices, state, writes) => {
    const comparison = compare(slices);
    expect(comparison).toMatchObject({ namespace: 'shop', name: 'web', from: 'pods', state, foreign: 0 });
    expect(formatActions(comparison)).toEqual(writes);
  });

  test('holds the found and computed slice of a change, if they exist', () => {
    const incomplete = { ...createComputedSlice(), endpoints: createComputedSlice().endpoints.slice(0, 1) };
    expect(compare([incomplete]).changes).toMatchObject([
      { action: 'update', found: incomplete, computed: { endpoints: createComputedSlice().endpoints } },
    ]);
    expect(compare([]).changes[0]).not.toHaveProperty('found');
    expect(compare([createComputedSlice(), createComputedSlice('1.37', 2)]).changes[0]).not.toHaveProperty('computed');
  });

  test('counts slices of other managers and does not change them', () => {
    const foreignSlice = slice('x', 'web', {}, 'example.com');
    expect(compare([createComputedSlice(), foreignSlice])).toMatchObject({ state: 'equal', changes: [], foreign: 1 });
  });

  test('ignores the trigger time, and the update of the placeholder that releases before 1.24.3 repeat at every sync', () => {
    const annotations = { 'endpoints.kubernetes.io/last-change-trigger-time': '2020-01-01T00:00:00Z' };
    expect(compare([{ ...createComputedSlice(), metadata: { ...createComputedSlice().metadata, annotations } }]).state).toBe('equal');
    const empty = service('empty');
    const [placeholder] = computeEndpointSlices(empty, [], { version: '1.21', nodes }) as [EndpointSlice];
    const existing = { ...placeholder, metadata: { ...placeholder.metadata, name: 'empty-1' }, ports: null };
    expect(compare([existing], '1.21', empty).state).toBe('equal');
  });

  test('matches a Service without UID to slices by name', () => {
    const ownedSlice = {
      ...createComputedSlice(),
      metadata: { ...createComputedSlice().metadata, ownerReferences: [{ apiVersion: 'v1', kind: 'Service', uid: 'u' }] },
    };
    expect(compare([ownedSlice]).state).toBe('equal');
    expect(compare([ownedSlice], '1.37', service('web', {}, { uid: 'other' })).state).toBe('differs');
  });

  test('does not count a retried sync as a difference', () => {
    const [webPod] = pods as [(typeof pods)[0]];
    const podOnMissingNode = { ...webPod, spec: { ...webPod.spec, nodeName: 'gone' } };
    const scope = scopeOf({ services: [web], pods: [podOnMissingNode], nodes, slices: [] });
    expect(createSlicesComparer(scope, { version: '1.23' })(web)).toMatchObject({ state: 'retried', reasons: [{ code: 'NodeMissing' }] });
  });

  test('takes zones from the slices if the input holds no Nodes', () => {
    const scope = scopeOf({ services: [web], pods, slices: [createComputedSlice()] });
    expect(createSlicesComparer(scope, { version: '1.37' })(web).state).toBe('equal');
  });

  test('respects the maximum number of endpoints per slice', () => {
    const scope = scopeOf({ services: [web], pods, nodes, slices: [] });
    expect(createSlicesComparer(scope, { version: '1.37', maxEndpointsPerSlice: 1 })(web).changes).toHaveLength(2);
  });
});

describe('the comparison of all slices', () => {
  const manualService = service('by-hand', { selector: null });
  const manualEndpoints = endpoints('by-hand', [{ addresses: [{ ip: '192.168.0.1' }], ports: [{ port: 80, protocol: 'TCP' }] }]);
  const [mirror] = mirrorEndpoints(manualEndpoints) as [EndpointSlice];
  const mirrorSlice = { ...mirror, metadata: { ...mirror.metadata, name: 'by-hand-1' } };
  const compareObjects = (objects: Parameters<typeof scopeOf>[0], invalidObjects = noInvalidObjects) =>
    compareAllSlices(scopeOf({ pods, nodes, ...objects }), { version: '1.37' }, invalidObjects).map(({ name, from, state }) => [
      name,
      from,
      state,
    ]);

  test('reports mirrored slices instead of an unmanaged Service', () => {
    const objects = { services: [manualService], endpoints: [manualEndpoints] };
    expect(compareObjects({ ...objects, slices: [mirrorSlice] })).toEqual([['by-hand', 'endpoints', 'equal']]);
    expect(compareObjects({ ...objects, slices: [{ ...mirrorSlice, endpoints: [] }] })).toEqual([['by-hand', 'endpoints', 'differs']]);
    expect(compareObjects({ ...objects, slices: [slice('x', 'other')] })).toContainEqual(['by-hand', 'endpoints', 'missing']);
  });

  test('does not report mirrored slices if the input holds no Endpoints', () => {
    expect(compareObjects({ services: [manualService], slices: [mirrorSlice] })).toEqual([['by-hand', 'pods', 'unmanaged']]);
  });

  test('reports slices of a missing Service as left over, except slices of other managers', () => {
    const foreignSlice = slice('x', 'foreign', {}, 'example.com');
    expect(compareObjects({ slices: [createComputedSlice(), foreignSlice] })).toEqual([['web', 'pods', 'leftOver']]);
  });

  test('skips Services with an invalid object', () => {
    const objects = { services: [web], slices: [createComputedSlice()] };
    expect(compareObjects(objects, new Set(['EndpointSlice shop/web-2']))).toEqual([]);
    expect(compareObjects({ slices: [createComputedSlice()] }, new Set(['Service shop/web']))).toEqual([]);
    expect(compareObjects(objects, new Set(['EndpointSlice shop/website-2', 'Pod shop/web-2']))).toHaveLength(1);
  });
});
