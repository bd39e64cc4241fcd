import { describe, expect, it } from 'vitest';
import { loadBalancerSettings } from '../../src/load-balancer/gates.ts';
import type { BalancedNode, BalancedService } from '../../src/load-balancer/index.ts';
import { createQueuedLooks } from '../../src/load-balancer/node-sync.ts';
import { fails, play } from './script.ts';
import { makeNode, makeService, unready } from './services.ts';

function world(version?: string, ...names: readonly string[]) {
  const known = new Map<string, BalancedService>(names.map((name) => [`shop/${name}`, makeService({}, { name })]));
  const syncing = new Set<string>();
  const looks = createQueuedLooks({ known, syncing }, loadBalancerSettings({ version }));
  const look = (nodes: readonly BalancedNode[], script = {}): string[] =>
    looks.begin(nodes).flatMap((key) => {
      const { said, result } = play(looks.goOn(key, nodes), script);
      return [...said.filter((each) => each.startsWith('update')).map((each) => `${key} ${each}`), ...(result ? [`${key} failed`] : [])];
    });
  return { known, syncing, looks, look };
}

const [one, two] = [[makeNode('n1')], [makeNode('n1'), makeNode('n2')]];
const down = { update: fails(new Error('down')) };

describe('looks from 1.29 on', () => {
  it('go through the Services that were last given other nodes, by a look or a sync', () => {
    const { looks, look } = world('1.29', 'a', 'b');
    looks.given('shop/a', two);
    expect(looks.begin(two)).toEqual(['shop/b']);
    expect(look(two)).toEqual(['shop/b update n1 n2']);
    expect(look(two)).toEqual([]);
    expect(look(one)).toEqual(['shop/a update n1', 'shop/b update n1']);
    expect(look([unready('n1')])).toEqual([]);
  });

  it('see another provider ID', () => {
    const { look } = world(undefined, 'a');
    look(one);
    expect(look([makeNode('n1', { spec: { providerID: 'cloud:///other' } })])).toEqual(['shop/a update n1']);
  });

  it('leave what failed to the queue', () => {
    const { look } = world(undefined, 'a');
    expect([look(one, down), look(one)]).toEqual([['shop/a update n1', 'shop/a failed'], []]);
  });

  it('go through a Service that is synced meanwhile, which may be given nodes of before', () => {
    const { syncing, looks } = world(undefined, 'a');
    looks.given('shop/a', two);
    syncing.add('shop/a');
    const keys = looks.begin(two);
    looks.given('shop/a', one);
    expect(keys).toEqual(['shop/a']);
    expect(play(looks.goOn('shop/a', two)).said[0]).toBe('update n1 n2');
  });

  it('pass over what is gone, or wants no load balancer', () => {
    const { known, looks } = world(undefined, 'a', 'b');
    expect(looks.begin(one)).toHaveLength(2);
    known.delete('shop/a');
    known.set('shop/b', makeService({ loadBalancerClass: 'example.com/other' }));
    expect([play(looks.goOn('shop/a', one)), play(looks.goOn('shop/b', one))]).toEqual([
      { said: [], result: false },
      { said: [], result: false },
    ]);
  });

  it('do not remember more and more Services that are gone', () => {
    const { known, looks } = world(undefined, 'a');
    looks.given('shop/a', one);
    for (let at = 0; at < 2000; at++) looks.given(`shop/gone-${at}`, one);
    looks.begin(one);
    known.set('shop/gone-7', makeService());
    expect(looks.begin(one)).toEqual(['shop/gone-7']);
  });

  it('forget', () => {
    const { looks } = world(undefined, 'a');
    looks.given('shop/a', one);
    looks.forget('shop/a');
    expect(looks.begin(one)).toEqual(['shop/a']);
  });
});

describe.each(['1.26', '1.28'])('looks in %s', (version) => {
  it('compare with the nodes of the look before, whatever a sync has given since', () => {
    const { looks, look } = world(version, 'a');
    looks.given('shop/a', one);
    expect([look(one), look(one), look(two)]).toEqual([['shop/a update n1'], [], ['shop/a update n1 n2']]);
  });
});

describe('looks in 1.26.0', () => {
  it('choose nodes by the external traffic policy', () => {
    const { known, look } = world('1.26.0', 'a', 'b');
    known.set('shop/b', makeService({ externalTrafficPolicy: 'Local' }));
    expect(look([makeNode('n1'), unready('n2')])).toEqual(['shop/a update n1', 'shop/b update n1 n2']);
    expect(look(two)).toEqual(['shop/a update n1 n2']);
  });
});
