import { describe, expect, it } from 'vitest';
import { createGroup } from '../../../src/spec/slices/group.ts';
import { compareByName, copySlice, packGroup, reviseSlice, type SliceChanges } from '../../../src/spec/slices/pack.ts';
import type { Endpoint, EndpointSliceInput } from '../../../src/types/index.ts';
import { freezeDeeply } from '../../property/check.ts';
import { makeService, profileWith } from '../objects.ts';
import { createReader, httpPort, makeEndpoints, makeSlice, owner, ownLabels } from './objects.ts';

/** Packs `desired` endpoints into existing slices. Endpoints are given by number; -1 is an endpoint that is not desired. */
function pack(desired: number, existing: readonly (readonly number[])[], max: number, labels: Record<string, string> = {}): SliceChanges {
  const group = createGroup({ key: 'k', ports: [httpPort] }, 'IPv4', profileWith());
  const [undesired] = makeEndpoints(1, 'gone', 9);
  const endpoints = makeEndpoints(Math.max(desired, ...existing.flat().map((i) => i + 1)));
  for (const endpoint of endpoints.slice(0, desired)) group.add(structuredClone(endpoint));
  const slices = existing.map((list, i) =>
    makeSlice(
      `s${i}`,
      list.map((index) => (index < 0 ? undesired : endpoints[index]) as Endpoint),
    ),
  );
  const service = makeService({}, { labels });
  return packGroup(group, freezeDeeply(slices), {
    service,
    maxEndpointsPerSlice: max,
    read: createReader(service, profileWith()),
    profile: profileWith(),
  });
}

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);
const numbers = (slices: readonly EndpointSliceInput[]) =>
  slices.map(({ metadata, endpoints }) =>
    [metadata?.name ?? 'new', ...(endpoints ?? []).map(({ targetRef }) => targetRef?.name?.slice(1))].join(' '),
  );
const summarize = ({ create, update, delete: toDelete, codes }: SliceChanges) => ({
  create: numbers(create),
  update: numbers(update),
  delete: toDelete.map(({ metadata }) => metadata?.name),
  codes: [...codes],
});
const noChanges = { create: [], update: [], delete: [], codes: [] };

describe('packGroup', () => {
  it.each<{ name: string; args: Parameters<typeof pack>; expected: Partial<ReturnType<typeof summarize>> }>([
    { name: 'no endpoints and no slices', args: [0, [], 3], expected: {} },
    { name: 'equal slices stay unchanged', args: [3, [[0, 1], [2]], 3], expected: {} },
    { name: 'an empty slice stays unchanged', args: [1, [[0], []], 3], expected: {} },
    // step 1
    {
      name: 'step 1: removes an endpoint that is no longer desired',
      args: [2, [[0, 1, -1]], 3],
      expected: { update: ['s0 0 1'], codes: ['EndpointsDiffer'] },
    },
    {
      name: 'step 1: deletes a slice that loses all endpoints',
      args: [1, [[0], [-1]], 3],
      expected: { delete: ['s1'], codes: ['EndpointsGone'] },
    },
    {
      name: 'step 1: deletes a slice with a duplicate only',
      args: [1, [[0], [0]], 3],
      expected: { delete: ['s1'], codes: ['EndpointsGone'] },
    },
    {
      name: 'step 1: updates labels',
      args: [2, [[0], [1]], 3, { tier: 'x' }],
      expected: { update: ['s0 0', 's1 1'], codes: ['LabelsDiffer'] },
    },
    // step 2
    {
      name: 'step 2: adds endpoints to slices that are updated anyway, the fullest first',
      args: [
        7,
        [
          [0, -1],
          [1, 2, 3, -1],
          [4, -1],
        ],
        5,
      ],
      expected: { update: ['s0 0', 's1 1 2 3 5 6', 's2 4'], codes: ['EndpointsDiffer', 'EndpointsAdded'] },
    },
    {
      name: 'step 2: prefers the first name among equally full slices',
      args: [
        5,
        [
          [0, -1],
          [1, -1],
        ],
        3,
      ],
      expected: { update: ['s0 0 2 3', 's1 1 4'], codes: ['EndpointsDiffer', 'EndpointsAdded'] },
    },
    {
      name: 'step 2: prefers an updated slice over one with free space',
      args: [3, [[0], [1, -1]], 2],
      expected: { update: ['s1 1 2'], codes: ['EndpointsDiffer', 'EndpointsAdded'] },
    },
    {
      name: 'step 2: does not fill a slice that lost all endpoints',
      args: [2, [[0], [-1]], 2],
      expected: { update: ['s0 0 1'], delete: ['s1'], codes: ['EndpointsGone', 'EndpointsAdded'] },
    },
    // step 3
    {
      name: 'step 3: adds all endpoints to a slice with free space',
      args: [3, [[0]], 5],
      expected: { update: ['s0 0 1 2'], codes: ['EndpointsAdded'] },
    },
    {
      name: 'step 3: prefers the fullest slice',
      args: [5, [[0], [1, 2], [3]], 3],
      expected: { update: ['s1 1 2 4'], codes: ['EndpointsAdded'] },
    },
    {
      name: 'step 3: prefers the first among equally full slices',
      args: [3, [[0], [1]], 3],
      expected: { update: ['s0 0 2'], codes: ['EndpointsAdded'] },
    },
    { name: 'step 3: uses an empty slice', args: [1, [[]], 3], expected: { update: ['s0 0'], codes: ['EndpointsAdded'] } },
    {
      name: 'step 3: ignores a slice with space for only some endpoints',
      args: [4, [[0, 1]], 3],
      expected: { create: ['new 2 3'], codes: ['EndpointsAdded'] },
    },
    {
      name: 'step 3: creates a slice if the endpoints fill it',
      args: [3, [[]], 3],
      expected: { create: ['new 0 1 2'], codes: ['EndpointsAdded'] },
    },
    {
      name: 'step 3: adds the remainder to a slice with free space',
      args: [6, [[0]], 3],
      expected: { create: ['new 1 2 3'], update: ['s0 0 4 5'], codes: ['EndpointsAdded'] },
    },
    {
      name: 'step 3: uses another slice once those of step 2 are full',
      args: [5, [[0, 1, -1], [2]], 3],
      expected: { update: ['s0 0 1 3', 's1 2 4'], codes: ['EndpointsDiffer', 'EndpointsAdded'] },
    },
    // step 4
    {
      name: 'step 4: creates slices, each as full as possible',
      args: [5, [], 2],
      expected: { create: ['new 0 1', 'new 2 3', 'new 4'], codes: ['EndpointsAdded'] },
    },
    {
      name: 'step 4: creates one slice per endpoint with a limit of one',
      args: [3, [[0]], 1],
      expected: { create: ['new 1', 'new 2'], codes: ['EndpointsAdded'] },
    },
    // slices above the limit
    { name: 'a slice above the limit stays unchanged', args: [5, [range(0, 5)], 2], expected: {} },
    {
      name: 'a slice above the limit is not filled',
      args: [6, [range(0, 5)], 2],
      expected: { create: ['new 5'], codes: ['EndpointsAdded'] },
    },
    {
      name: 'a slice above the limit stays above it when it is updated',
      args: [6, [[...range(0, 5), -1]], 2],
      expected: { create: ['new 5'], update: ['s0 0 1 2 3 4'], codes: ['EndpointsDiffer', 'EndpointsAdded'] },
    },
  ])('$name', ({ args, expected }) => {
    expect(summarize(pack(...args))).toEqual({ ...noChanges, ...expected });
  });

  it('copies the ports for each new slice', () => {
    const { create } = pack(2, [], 1);
    expect(create[0]?.ports).toEqual([httpPort]);
    expect(create[0]?.ports[0]).not.toBe(create[1]?.ports[0]);
    expect(create[0]?.ports[0]).not.toBe(httpPort);
  });

  it('updates the labels, and keeps all other fields', () => {
    const [endpoint] = makeEndpoints(1);
    const group = createGroup({ key: 'k', ports: [httpPort] }, 'IPv4', profileWith());
    group.add(endpoint as Endpoint);
    const slice = makeSlice('s', [endpoint as Endpoint], {
      metadata: { labels: { ...ownLabels, undesired: 'x' }, annotations: { kept: 'x' } },
    });
    const service = makeService({}, { labels: { a: '1' } });
    const options = { service, maxEndpointsPerSlice: 5, read: createReader(service, profileWith()), profile: profileWith() };
    expect(packGroup(group, [slice], options).update).toEqual([
      {
        apiVersion: 'discovery.k8s.io/v1',
        kind: 'EndpointSlice',
        ...slice,
        metadata: { ...slice.metadata, labels: { ...ownLabels, a: '1' } },
      },
    ]);
  });
});

describe('reviseSlice and copySlice', () => {
  it('reviseSlice replaces the endpoints and the labels', () => {
    const slice = freezeDeeply(makeSlice('s', [], { ports: null }));
    const endpoints: Endpoint[] = makeEndpoints(1);
    const revised = reviseSlice(slice, endpoints, { a: '1' });
    expect(revised).toEqual({
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      addressType: 'IPv4',
      metadata: { ...slice.metadata, labels: { a: '1' }, ownerReferences: [owner] },
      endpoints,
      ports: [],
    });
    expect(revised.endpoints).toBe(endpoints);
    expect(reviseSlice(slice, []).metadata.labels).toEqual(ownLabels);
  });

  it('copySlice copies deeply', () => {
    const slice = freezeDeeply(makeSlice('s', makeEndpoints(2)));
    const copy = copySlice(slice);
    expect(copy).toMatchObject(slice);
    copy.endpoints[0]?.addresses.push('x');
    delete copy.metadata.labels;
    copy.ports[0] = {};
    expect(copySlice(makeSlice('s', null)).endpoints).toEqual([]);
  });
});

it('compareByName sorts slices by the UTF-8 bytes of their names', () => {
  const names = ['b', '\u{1f600}', '\uffee', 'a', ''].map((name) => ({ metadata: { name } }));
  expect(names.sort(compareByName).map(({ metadata }) => metadata.name)).toEqual(['', 'a', 'b', '\uffee', '\u{1f600}']);
  expect(compareByName({}, { metadata: null })).toBe(0);
});
