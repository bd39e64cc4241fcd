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

describe('queued node syncs from 1.29 on', () => {
  it('update the Services that last received other nodes, be it from a node sync or from a Service sync', () => {
    const { looks, look } = world('1.29', 'a', 'b');
    looks.given('shop/a', two);
    expect(looks.begin(two)).toEqual(['shop/b']);
    expect(look(two)).toEqual(['shop/b update n1 n2']);
    expect(look(two)).toEqual([]);
    expect(look(one)).toEqual(['shop/a update n1', 'shop/b update n1']);
    expect(look([unready('n1')])).toEqual([]);
  });

  it('update on a changed provider ID', () => {
    const { look } = world(undefined, 'a');
    look(one);
    expect(look([makeNode('n1', { spec: { providerID: 'cloud:///other' } })])).toEqual(['shop/a update n1']);
  });

  it('leave the retry of failures to the queue', () => {
    const { look } = world(undefined, 'a');
    expect([look(one, down), look(one)]).toEqual([['shop/a update n1', 'shop/a failed'], []]);
  });

  it('update a Service that is being synced, because that sync may use older nodes', () => {
    const { syncing, looks } = world(undefined, 'a');
    looks.given('shop/a', two);
    syncing.add('shop/a');
    const keys = looks.begin(two);
    looks.given('shop/a', one);
    expect(keys).toEqual(['shop/a']);
    expect(play(looks.goOn('shop/a', two)).said[0]).toBe('update n1 n2');
  });

  it('skip Services that are deleted or want no load balancer', () => {
    const { known, looks } = world(undefined, 'a', 'b');
    expect(looks.begin(one)).toHaveLength(2);
    known.delete('shop/a');
    known.set('shop/b', makeService({ loadBalancerClass: 'example.com/other' }));
    expect([play(looks.goOn('shop/a', one)), play(looks.goOn('shop/b', one))]).toEqual([
      { said: [], result: false },
      { said: [], result: false },
    ]);
  });

  it('drop the records of deleted Services', () => {
    const { known, looks } = world(undefined, 'a');
    looks.given('shop/a', one);
    for (let at = 0; at < 2000; at++) looks.given(`shop/gone-${at}`, one);
    looks.begin(one);
    known.set('shop/gone-7', makeService());
    expect(looks.begin(one)).toEqual(['shop/gone-7']);
  });

  it('forget the nodes of a Service on request', () => {
    const { looks } = world(undefined, 'a');
    looks.given('shop/a', one);
    looks.forget('shop/a');
    expect(looks.begin(one)).toEqual(['shop/a']);
  });
});

describe.each(['1.26', '1.28'])('queued node syncs in %s', (version) => {
  it('compare with the nodes of the previous node sync, whatever a Service sync used since', () => {
    const { looks, look } = world(version, 'a');
    looks.given('shop/a', one);
    expect([look(one), look(one), look(two)]).toEqual([['shop/a update n1'], [], ['shop/a update n1 n2']]);
  });
});

describe('queued node syncs in 1.26.0', () => {
  it('select nodes by the external traffic policy', () => {
    const { known, look } = world('1.26.0', 'a', 'b');
    known.set('shop/b', makeService({ externalTrafficPolicy: 'Local' }));
    expect(look([makeNode('n1'), unready('n2')])).toEqual(['shop/a update n1', 'shop/b update n1 n2']);
    expect(look(two)).toEqual(['shop/a update n1 n2']);
  });
});
