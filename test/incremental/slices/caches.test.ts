import { describe, expect, it } from 'vitest';
import { createNameSorter, createNodeIndex, createSliceReader } from '../../../src/incremental/slices/caches.ts';
import { byName } from '../../../src/spec/slices/pack.ts';
import type { Node } from '../../../src/types/index.ts';
import { makeService, profileWith } from '../../spec/objects.ts';
import { makeEndpoint, makeNode, makeSlice } from '../../spec/slices/objects.ts';

const nodesOf = (...names: string[]): Node[] => names.map((name) => makeNode(name, `zone-${name}`));
const first = nodesOf('a', 'b');

describe('the version of the node index', () => {
  it.each<[string, readonly Node[] | undefined, boolean]>([
    ['the same', first, false],
    ['the same in another array', [...first], false],
    ['the same in another order', nodesOf('b', 'a'), false],
    ['more CPU', [makeNode('a', 'zone-a', '9', 'False'), makeNode('b', 'zone-b')], false],
    ['a node fewer', nodesOf('a'), true],
    ['a node more', nodesOf('a', 'b', 'c'), true],
    ['another node', nodesOf('a', 'c'), true],
    ['another zone', [makeNode('a', 'zone-a'), makeNode('b', 'x')], true],
    ['no zone', [makeNode('a', 'zone-a'), makeNode('b')], true],
    ['no nodes', [], true],
    ['unknown nodes', undefined, true],
  ])('%s: changes %3$s', (_, nodes, changes) => {
    const index = createNodeIndex();
    index.update(first);
    const before = index.version;
    index.update(nodes);
    expect(index.version !== before).toBe(changes);
  });

  it('changes if a node was changed in place and comes in another array', () => {
    const index = createNodeIndex();
    const node = structuredClone(makeNode('a', 'x')) as { metadata: { labels: Record<string, string> } };
    index.update([node as Node]);
    const before = index.version;
    node.metadata.labels = {};
    index.update([node as Node]);
    expect(index.version).not.toBe(before);
  });
});

it('createNodeIndex finds nodes of the last update by name', () => {
  const index = createNodeIndex();
  expect(index.byName).toBeUndefined();
  index.update(first);
  const { byName } = index;
  expect([byName?.get('a'), byName?.get('c')]).toEqual([first[0], undefined]);
  const other = nodesOf('c');
  index.update(other);
  expect([byName?.get('a'), byName?.get('c')]).toEqual([undefined, other[0]]);
  index.update([{}]);
  expect(byName?.get('')).toEqual({});
  index.update(undefined);
  expect(index.byName).toBeUndefined();
});

it('createNodeIndex does not read the same array twice', () => {
  const index = createNodeIndex();
  let looks = 0;
  const node: Node = {
    ...makeNode('a', 'x'),
    get metadata() {
      looks++;
      return { name: 'a' };
    },
  };
  const nodes = [node];
  index.update(nodes);
  index.zoneShares();
  const before = looks;
  index.update(nodes);
  index.zoneShares();
  expect(looks).toBe(before);
  index.update([node]);
  expect(looks).toBeGreaterThan(before);
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

describe('createSliceReader reads a slice again', () => {
  it.each<[string, (slice: Record<string, unknown> & { metadata: object }) => void, boolean]>([
    ['as it was', () => undefined, false],
    [
      'under another resourceVersion',
      (slice) => {
        Object.assign(slice.metadata, { resourceVersion: '9' });
      },
      true,
    ],
    [
      'with other metadata',
      (slice) => {
        slice.metadata = { ...slice.metadata };
      },
      true,
    ],
    [
      'with other endpoints',
      (slice) => {
        slice['endpoints'] = [];
      },
      true,
    ],
    [
      'with other ports',
      (slice) => {
        slice['ports'] = [];
      },
      true,
    ],
  ])('%s: %3$s', (_, change, expected) => {
    const reader = createSliceReader(profileWith())(makeService());
    const slice = structuredClone(makeSlice('s', [makeEndpoint()]));
    const before = reader(slice);
    change(slice as never);
    expect(reader(slice) !== before).toBe(expected);
  });
});

describe('createNameSorter', () => {
  const named = (...names: string[]) => names.map((name) => makeSlice(name, []));
  const inOrder = createNameSorter();
  it.each([[['b', 'a', 'c']], [['c', 'b', 'a']], [['c', 'a']], [['d', 'c', 'a']], [[]], [['b', 'd', 'a', 'c']]])('%j', (names) => {
    const slices = named(...names);
    expect(inOrder(slices.slice())).toEqual(slices.toSorted(byName));
  });

  it('keeps the order of slices with the same name', () => {
    const [one, other] = [makeSlice('a', []), makeSlice('a', null)];
    for (const slices of [
      [one, other],
      [other, one],
    ]) {
      expect(inOrder(slices.slice())).toEqual(slices);
    }
  });
});
