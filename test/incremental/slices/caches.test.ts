import { describe, expect, it } from 'vitest';
import { createNameSorter, createNodeIndex, createSliceReader } from '../../../src/incremental/slices/caches.ts';
import { compareByName } from '../../../src/spec/slices/pack.ts';
import type { Node } from '../../../src/types/index.ts';
import { makeService, profileWith } from '../../spec/objects.ts';
import { makeEndpoint, makeNode, makeSlice } from '../../spec/slices/objects.ts';

const makeNodes = (...names: string[]): Node[] => names.map((name) => makeNode(name, `zone-${name}`));
const firstNodes = makeNodes('a', 'b');

describe('the version of the node index', () => {
  it.each<[string, boolean, readonly Node[] | undefined]>([
    ['the same array', false, firstNodes],
    ['the same nodes in another array', false, [...firstNodes]],
    ['the same nodes in another order', false, makeNodes('b', 'a')],
    ['more CPU', false, [makeNode('a', 'zone-a', '9', 'False'), makeNode('b', 'zone-b')]],
    ['a removed node', true, makeNodes('a')],
    ['an additional node', true, makeNodes('a', 'b', 'c')],
    ['another node', true, makeNodes('a', 'c')],
    ['another zone', true, [makeNode('a', 'zone-a'), makeNode('b', 'x')]],
    ['no zone', true, [makeNode('a', 'zone-a'), makeNode('b')]],
    ['no nodes', true, []],
    ['unknown nodes', true, undefined],
  ])('after an update with %s has changed: %s', (_, changes, nodes) => {
    const index = createNodeIndex();
    index.update(firstNodes);
    const previousVersion = index.version;
    index.update(nodes);
    expect(index.version !== previousVersion).toBe(changes);
  });

  it('changes if a node was modified in place and is passed in another array', () => {
    const index = createNodeIndex();
    const node = structuredClone(makeNode('a', 'x')) as { metadata: { labels: Record<string, string> } };
    index.update([node as Node]);
    const previousVersion = index.version;
    node.metadata.labels = {};
    index.update([node as Node]);
    expect(index.version).not.toBe(previousVersion);
  });
});

it('createNodeIndex finds nodes of the last update by name', () => {
  const index = createNodeIndex();
  expect(index.byName).toBeUndefined();
  index.update(firstNodes);
  const { byName } = index;
  expect([byName?.get('a'), byName?.get('c')]).toEqual([firstNodes[0], undefined]);
  const other = makeNodes('c');
  index.update(other);
  expect([byName?.get('a'), byName?.get('c')]).toEqual([undefined, other[0]]);
  index.update([{}]);
  expect(byName?.get('')).toEqual({});
  index.update(undefined);
  expect(index.byName).toBeUndefined();
});

it('createNodeIndex does not read the same array twice', () => {
  const index = createNodeIndex();
  let reads = 0;
  const node: Node = {
    ...makeNode('a', 'x'),
    get metadata() {
      reads++;
      return { name: 'a' };
    },
  };
  const nodes = [node];
  index.update(nodes);
  index.zoneShares();
  const previousReads = reads;
  index.update(nodes);
  index.zoneShares();
  expect(reads).toBe(previousReads);
  index.update([node]);
  expect(reads).toBeGreaterThan(previousReads);
});

it('createNodeIndex computes zone shares from the CPU of the last update', () => {
  const index = createNodeIndex();
  expect(index.zoneShares()).toEqual({ code: 'NodesReadyInFewZones' });
  index.update([makeNode('a', 'x'), makeNode('b', 'y', '3')]);
  expect([...(index.zoneShares().shares ?? [])]).toEqual([
    ['x', 0.25],
    ['y', 0.75],
  ]);
  index.update([makeNode('a', 'x'), makeNode('b', 'y')]);
  expect(index.zoneShares().shares?.get('x')).toBe(0.5);
});

describe('createSliceReader', () => {
  it.each<[string, boolean, (slice: Record<string, unknown> & { metadata: object }) => void]>([
    ['without a change', false, () => undefined],
    [
      'with a different resourceVersion',
      true,
      (slice) => {
        Object.assign(slice.metadata, { resourceVersion: '9' });
      },
    ],
    [
      'with other metadata',
      true,
      (slice) => {
        slice.metadata = { ...slice.metadata };
      },
    ],
    [
      'with other endpoints',
      true,
      (slice) => {
        slice['endpoints'] = [];
      },
    ],
    [
      'with other ports',
      true,
      (slice) => {
        slice['ports'] = [];
      },
    ],
  ])('for a slice %s, reads it again: %s', (_, expected, change) => {
    const reader = createSliceReader(profileWith())(makeService());
    const slice = structuredClone(makeSlice('s', [makeEndpoint()]));
    const previousReading = reader(slice);
    change(slice as never);
    expect(reader(slice) !== previousReading).toBe(expected);
  });
});

describe('createNameSorter', () => {
  const makeSlices = (...names: string[]) => names.map((name) => makeSlice(name, []));
  const sortByName = createNameSorter();
  it.each([[['b', 'a', 'c']], [['c', 'b', 'a']], [['c', 'a']], [['d', 'c', 'a']], [[]], [['b', 'd', 'a', 'c']]])('sorts %j', (names) => {
    const slices = makeSlices(...names);
    expect(sortByName(slices.slice())).toEqual(slices.toSorted(compareByName));
  });

  it('keeps the order of slices with the same name', () => {
    const [one, other] = [makeSlice('a', []), makeSlice('a', null)];
    for (const slices of [
      [one, other],
      [other, one],
    ]) {
      expect(sortByName(slices.slice())).toEqual(slices);
    }
  });
});
