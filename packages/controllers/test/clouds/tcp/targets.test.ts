import { describe, expect, it } from 'vitest';
import { createTargets, type TargetNode, type Targets, toTargetNode } from '../../../src/clouds/tcp/targets.ts';
import { createClock } from '../../queue/clock.ts';
import { makeNode } from '../objects.ts';

const nodes = (...names: readonly string[]): TargetNode[] => names.map((name) => ({ name, address: `10.0.0.${name.codePointAt(0)}` }));

function createFixture(names: readonly string[] = ['a', 'b', 'c'], affinityMs?: number) {
  const clock = createClock();
  const targets = createTargets({ clock, avoidMs: 1000, maxClients: 2 });
  const set = (selected: readonly string[], nodePorts: readonly number[] = [80]) =>
    targets.set({ nodes: nodes(...selected), nodePorts, affinityMs });
  set(names);
  return { clock, targets, set };
}

interface PickOptions {
  readonly client?: string;
  readonly nodePort?: number;
  readonly triedNodes?: readonly string[];
  readonly health?: Readonly<Record<string, boolean | undefined>>;
}

/** The name of the picked node. */
const pick = (targets: Targets, { client = 'me', nodePort = 80, triedNodes = [], health }: PickOptions = {}): string | undefined =>
  targets.pick({ client, nodePort, triedNodes: new Set(triedNodes), isHealthy: ({ name }) => (health ? health[name] : true) })?.node;

const times = <T>(count: number, create: () => T): T[] => Array.from({ length: count }, create);

describe('createTargets', () => {
  it('picks nodes in turn, with address and node port', () => {
    const { targets } = createFixture();
    expect(times(5, () => pick(targets))).toEqual(['a', 'b', 'c', 'a', 'b']);
    expect(targets.pick({ client: 'me', nodePort: 81, triedNodes: new Set(), isHealthy: () => true })).toEqual({
      node: 'c',
      address: '10.0.0.99',
      port: 81,
    });
  });

  it('picks no node if there are none or all were tried', () => {
    const { targets, set } = createFixture();
    expect(pick(targets, { triedNodes: ['a', 'c'] })).toBe('b');
    expect(pick(targets, { triedNodes: ['a', 'b', 'c'] })).toBeUndefined();
    set([]);
    expect(pick(targets)).toBeUndefined();
  });

  it('picks among the current nodes', () => {
    const { targets, set } = createFixture();
    set(['d', 'e']);
    expect(times(3, () => pick(targets))).toEqual(['d', 'e', 'd']);
    expect(targets.nodes.map(({ name }) => name)).toEqual(['d', 'e']);
  });

  it('picks healthy nodes first, then nodes of unknown health, never unhealthy nodes', () => {
    const { targets } = createFixture();
    const health = { a: false, b: undefined, c: true };
    expect(times(2, () => pick(targets, { health }))).toEqual(['c', 'c']);
    expect(pick(targets, { health, triedNodes: ['c'] })).toBe('b');
    expect(pick(targets, { health, triedNodes: ['b', 'c'] })).toBeUndefined();
  });
});

describe('createTargets after a target refused a connection', () => {
  const target = { node: 'b', address: '10.0.0.98', port: 80 };

  it('avoids the target for a while, on that port only', () => {
    const { targets, clock } = createFixture();
    targets.recordFailure(target);
    expect(times(4, () => pick(targets))).toEqual(['a', 'c', 'a', 'c']);
    expect(pick(targets, { nodePort: 81, triedNodes: ['a', 'c'] })).toBe('b');
    expect(targets.isAvoided(target)).toBe(true);
    clock.advance(1000);
    expect(targets.isAvoided(target)).toBe(false);
    expect(times(3, () => pick(targets))).toContain('b');
  });

  it('lets one connection try the target after that time, and uses it again once it accepts', () => {
    const { targets, clock } = createFixture();
    targets.recordFailure(target);
    clock.advance(1000);
    expect(times(6, () => pick(targets)).filter((name) => name === 'b')).toEqual(['b']);
    targets.recordConnection('me', target);
    expect(times(6, () => pick(targets)).filter((name) => name === 'b')).toEqual(['b', 'b']);
  });

  it('picks the target if there is no other node', () => {
    const { targets } = createFixture(['b']);
    targets.recordFailure(target);
    expect(pick(targets)).toBe('b');
    expect(pick(targets, { health: { b: undefined } })).toBe('b');
    expect(pick(targets, { health: { b: false } })).toBeUndefined();
  });

  it('does not avoid the target after its node or node port was removed and added again', () => {
    const { targets, set } = createFixture();
    targets.recordFailure(target);
    set(['a', 'c']);
    set(['a', 'b', 'c']);
    expect(targets.isAvoided(target)).toBe(false);
    targets.recordFailure(target);
    set(['a', 'b', 'c'], [81]);
    set(['a', 'b', 'c'], [80, 81]);
    expect(targets.isAvoided(target)).toBe(false);
    targets.recordFailure(target);
    set(['a', 'b', 'c'], [80]);
    expect(targets.isAvoided(target)).toBe(true);
  });
});

describe('createTargets with session affinity', () => {
  const connect = (targets: Targets, client: string): string | undefined => {
    const target = targets.pick({ client, nodePort: 80, triedNodes: new Set(), isHealthy: () => true });
    if (target) targets.recordConnection(client, target);
    return target?.node;
  };

  it('keeps a client on its node until the timeout', () => {
    const { targets, clock } = createFixture(['a', 'b', 'c'], 100);
    expect(times(3, () => connect(targets, 'me'))).toEqual(['a', 'a', 'a']);
    expect(connect(targets, 'you')).toBe('b');
    clock.advance(99);
    expect(connect(targets, 'me')).toBe('a');
    clock.advance(99);
    expect(connect(targets, 'me')).toBe('a');
    clock.advance(100);
    expect(connect(targets, 'me')).toBe('c');
  });

  it('picks another node if the node was removed, refuses connections or is unhealthy', () => {
    const { targets, set } = createFixture(['a', 'b'], 100);
    expect(connect(targets, 'me')).toBe('a');
    expect(pick(targets, { health: { a: false, b: true } })).toBe('b');
    expect(pick(targets, { triedNodes: ['a'] })).toBe('b');
    targets.recordFailure({ node: 'a', address: '10.0.0.97', port: 80 });
    expect(pick(targets)).toBe('b');
    set(['b']);
    expect(connect(targets, 'me')).toBe('b');
    set(['a', 'b']);
    expect(times(2, () => connect(targets, 'me'))).toEqual(['b', 'b']);
  });

  it('remembers the most recent maxClients clients', () => {
    const { targets } = createFixture(['a', 'b', 'c'], 100);
    expect(['x', 'y', 'x', 'z'].map((client) => connect(targets, client))).toEqual(['a', 'b', 'a', 'c']);
    expect(connect(targets, 'x')).toBe('a');
    expect(connect(targets, 'y')).toBe('a');
  });

  it('picks nodes in turn without an affinity timeout', () => {
    const { targets } = createFixture();
    expect(times(3, () => connect(targets, 'me'))).toEqual(['a', 'b', 'c']);
  });
});

it.each([
  [[{ type: 'InternalIP', address: '10.0.0.1' }], '10.0.0.1'],
  [
    [
      { type: 'Hostname', address: 'n' },
      { type: 'InternalIP', address: '2001:db8::1' },
      { type: 'InternalIP', address: '10.0.0.1' },
    ],
    '2001:db8::1',
  ],
  [[{ type: 'ExternalIP', address: '203.0.113.1' }], undefined],
  [[{ type: 'InternalIP', address: 'n.example' }], undefined],
  [undefined, undefined],
])('toTargetNode selects from the addresses %j the address %j', (addresses, address) => {
  const node = { ...makeNode('n'), status: addresses === undefined ? {} : { addresses } };
  expect(toTargetNode(node)).toEqual(address === undefined ? undefined : { name: 'n', address });
});
