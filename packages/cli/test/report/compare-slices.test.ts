import { computeEndpointSlices, mirrorEndpoints } from 'kube-endpoints';
import type { EndpointSlice, EndpointSliceInput } from 'kube-endpoints/types';
import { describe, expect, test } from 'vitest';
import { compareAllSlices, createSlicesComparer } from '../../src/report/compare-slices.ts';
import { endpoints, node, pod, scopeOf, service, slice } from '../objects.ts';

const web = service('web');
const pods = [pod('a', 'web', '10.0.0.1'), pod('b', 'web', '10.0.0.2')];
const nodes = [node('node-1', 'zone-a')];
const nothingRefused: ReadonlySet<string> = new Set();
const written = (version = '1.37', at = 1): EndpointSlice => {
  const [one] = computeEndpointSlices(web, pods, { version, nodes }) as [EndpointSlice];
  return { ...one, metadata: { ...one.metadata, name: `web-${at}` } };
};
const compare = (slices: readonly EndpointSliceInput[], version = '1.37', one = web) =>
  createSlicesComparer(scopeOf({ services: [one], pods, nodes, slices }), { version })(one);
const actions = ({ changes }: { readonly changes: readonly { action: string; name: string }[] }) =>
  changes.map(({ action, name }) => `${action} ${name}`);

describe('the comparison of the slices of a Service', () => {
  test.each<[string, readonly EndpointSliceInput[], string, string[]]>([
    ['as they are written', [written()], 'equal', []],
    ['none', [], 'missing', ['create web-*']],
    [
      'with an endpoint too many',
      [{ ...written(), endpoints: [...written().endpoints, { addresses: ['1.1.1.1'] }] }],
      'differs',
      ['update web-1'],
    ],
    [
      'with an endpoint twice',
      [{ ...written(), endpoints: [...written().endpoints, ...written().endpoints] }],
      'differs',
      ['update web-1'],
    ],
    [
      'of an earlier Service',
      [{ ...written(), metadata: { ...written().metadata, ownerReferences: [] } }],
      'differs',
      ['create web-*', 'delete web-1'],
    ],
    ['twice', [written(), written('1.37', 2)], 'differs', ['delete web-2']],
  ])('%s', (_, slices, state, writes) => {
    const compared = compare(slices);
    expect(compared).toMatchObject({ namespace: 'shop', name: 'web', from: 'pods', state, foreign: 0 });
    expect(actions(compared)).toEqual(writes);
  });

  test('holds the found and computed slice of a change, if they exist', () => {
    const fewer = { ...written(), endpoints: written().endpoints.slice(0, 1) };
    expect(compare([fewer]).changes).toMatchObject([{ action: 'update', found: fewer, computed: { endpoints: written().endpoints } }]);
    expect(compare([]).changes[0]).not.toHaveProperty('found');
    expect(compare([written(), written('1.37', 2)]).changes[0]).not.toHaveProperty('computed');
  });

  test('counts slices of other managers and leaves them alone', () => {
    const others = slice('x', 'web', {}, 'example.com');
    expect(compare([written(), others])).toMatchObject({ state: 'equal', changes: [], foreign: 1 });
  });

  test('ignores the trigger time and repeated writes of an old release', () => {
    const annotations = { 'endpoints.kubernetes.io/last-change-trigger-time': '2020-01-01T00:00:00Z' };
    expect(compare([{ ...written(), metadata: { ...written().metadata, annotations } }]).state).toBe('equal');
    const empty = service('empty');
    const [placeholder] = computeEndpointSlices(empty, [], { version: '1.21', nodes }) as [EndpointSlice];
    const there = { ...placeholder, metadata: { ...placeholder.metadata, name: 'empty-1' }, ports: null };
    expect(compare([there], '1.21', empty).state).toBe('equal');
  });

  test('matches a Service without UID to slices by name', () => {
    const owned = { ...written(), metadata: { ...written().metadata, ownerReferences: [{ apiVersion: 'v1', kind: 'Service', uid: 'u' }] } };
    expect(compare([owned]).state).toBe('equal');
    expect(compare([owned], '1.37', service('web', {}, { uid: 'other' })).state).toBe('differs');
  });

  test('does not count a retried sync as a difference', () => {
    const [one] = pods as [(typeof pods)[0]];
    const lost = { ...one, spec: { ...one.spec, nodeName: 'gone' } };
    const scope = scopeOf({ services: [web], pods: [lost], nodes, slices: [] });
    expect(createSlicesComparer(scope, { version: '1.23' })(web)).toMatchObject({ state: 'retried', reasons: [{ code: 'NodeMissing' }] });
  });

  test('takes zones from the slices if the input holds no Nodes', () => {
    const scope = scopeOf({ services: [web], pods, slices: [written()] });
    expect(createSlicesComparer(scope, { version: '1.37' })(web).state).toBe('equal');
  });

  test('respects the maximum of endpoints per slice', () => {
    const scope = scopeOf({ services: [web], pods, nodes, slices: [] });
    expect(createSlicesComparer(scope, { version: '1.37', maxEndpointsPerSlice: 1 })(web).changes).toHaveLength(2);
  });
});

describe('the comparison of all slices', () => {
  const byHand = service('by-hand', { selector: null });
  const there = endpoints('by-hand', [{ addresses: [{ ip: '192.168.0.1' }], ports: [{ port: 80, protocol: 'TCP' }] }]);
  const [mirror] = mirrorEndpoints(there) as [EndpointSlice];
  const mirrored = { ...mirror, metadata: { ...mirror.metadata, name: 'by-hand-1' } };
  const all = (parts: Parameters<typeof scopeOf>[0], refused = nothingRefused) =>
    compareAllSlices(scopeOf({ pods, nodes, ...parts }), { version: '1.37' }, refused).map(({ name, from, state }) => [name, from, state]);

  test('reports mirrored slices instead of an unmanaged Service', () => {
    const own = { services: [byHand], endpoints: [there] };
    expect(all({ ...own, slices: [mirrored] })).toEqual([['by-hand', 'endpoints', 'equal']]);
    expect(all({ ...own, slices: [{ ...mirrored, endpoints: [] }] })).toEqual([['by-hand', 'endpoints', 'differs']]);
    expect(all({ ...own, slices: [slice('x', 'other')] })).toContainEqual(['by-hand', 'endpoints', 'missing']);
  });

  test('does not report mirrored slices if the input holds no Endpoints', () => {
    expect(all({ services: [byHand], slices: [mirrored] })).toEqual([['by-hand', 'pods', 'unmanaged']]);
  });

  test('reports slices of a missing Service as left over, except for other managers', () => {
    const foreign = slice('x', 'foreign', {}, 'example.com');
    expect(all({ slices: [{ ...written(), metadata: { ...written().metadata } }, foreign] })).toEqual([['web', 'pods', 'leftOver']]);
  });

  test('skips Services with a refused object', () => {
    const parts = { services: [web], slices: [written()] };
    expect(all(parts, new Set(['EndpointSlice shop/web-2']))).toEqual([]);
    expect(all({ slices: [written()] }, new Set(['Service shop/web']))).toEqual([]);
    expect(all(parts, new Set(['EndpointSlice shop/website-2', 'Pod shop/web-2']))).toHaveLength(1);
  });
});
