import { describe, expect, it } from 'vitest';
import { loadBalancerSettings } from '../../src/load-balancer/gates.ts';
import type { BalancedNode, BalancedService } from '../../src/load-balancer/index.ts';
import { createQueuedNodeSync } from '../../src/load-balancer/node-sync.ts';
import { createFailingAnswer, play } from './script.ts';
import { makeNode, makeService, makeUnreadyNode } from './services.ts';

function setup(version?: string, ...names: readonly string[]) {
  const knownServices = new Map<string, BalancedService>(names.map((name) => [`shop/${name}`, makeService({}, { name })]));
  const syncingKeys = new Set<string>();
  const nodeSync = createQueuedNodeSync({ knownServices, syncingKeys }, loadBalancerSettings({ version }));
  const runNodeSync = (nodes: readonly BalancedNode[], script = {}): string[] =>
    nodeSync.begin(nodes).flatMap((key) => {
      const { log, result } = play(nodeSync.syncNodes(key, nodes), script);
      return [...log.filter((each) => each.startsWith('update')).map((each) => `${key} ${each}`), ...(result ? [`${key} failed`] : [])];
    });
  return { knownServices, syncingKeys, nodeSync, runNodeSync };
}

const [oneNode, twoNodes] = [[makeNode('n1')], [makeNode('n1'), makeNode('n2')]];
const failingUpdate = { update: createFailingAnswer(new Error('down')) };

describe('queued node syncs from 1.29 on', () => {
  it('update the Services that last received different nodes, from a node sync or a Service sync', () => {
    const { nodeSync, runNodeSync } = setup('1.29', 'a', 'b');
    nodeSync.recordNodes('shop/a', twoNodes);
    expect(nodeSync.begin(twoNodes)).toEqual(['shop/b']);
    expect(runNodeSync(twoNodes)).toEqual(['shop/b update n1 n2']);
    expect(runNodeSync(twoNodes)).toEqual([]);
    expect(runNodeSync(oneNode)).toEqual(['shop/a update n1', 'shop/b update n1']);
    expect(runNodeSync([makeUnreadyNode('n1')])).toEqual([]);
  });

  it('update a Service if the provider ID of a node changed', () => {
    const { runNodeSync } = setup(undefined, 'a');
    runNodeSync(oneNode);
    expect(runNodeSync([makeNode('n1', { spec: { providerID: 'cloud:///other' } })])).toEqual(['shop/a update n1']);
  });

  it('leave the retry of failures to the queue', () => {
    const { runNodeSync } = setup(undefined, 'a');
    expect([runNodeSync(oneNode, failingUpdate), runNodeSync(oneNode)]).toEqual([['shop/a update n1', 'shop/a failed'], []]);
  });

  it('update a Service that is being synced, because that sync may use older nodes', () => {
    const { syncingKeys, nodeSync } = setup(undefined, 'a');
    nodeSync.recordNodes('shop/a', twoNodes);
    syncingKeys.add('shop/a');
    const keys = nodeSync.begin(twoNodes);
    nodeSync.recordNodes('shop/a', oneNode);
    expect(keys).toEqual(['shop/a']);
    expect(play(nodeSync.syncNodes('shop/a', twoNodes)).log[0]).toBe('update n1 n2');
  });

  it('skip Services that are deleted or need no load balancer', () => {
    const { knownServices, nodeSync } = setup(undefined, 'a', 'b');
    expect(nodeSync.begin(oneNode)).toHaveLength(2);
    knownServices.delete('shop/a');
    knownServices.set('shop/b', makeService({ loadBalancerClass: 'example.com/other' }));
    expect([play(nodeSync.syncNodes('shop/a', oneNode)), play(nodeSync.syncNodes('shop/b', oneNode))]).toEqual([
      { log: [], result: false },
      { log: [], result: false },
    ]);
  });

  it('drop the records of deleted Services', () => {
    const { knownServices, nodeSync } = setup(undefined, 'a');
    nodeSync.recordNodes('shop/a', oneNode);
    for (let at = 0; at < 2000; at++) nodeSync.recordNodes(`shop/gone-${at}`, oneNode);
    nodeSync.begin(oneNode);
    knownServices.set('shop/gone-7', makeService());
    expect(nodeSync.begin(oneNode)).toEqual(['shop/gone-7']);
  });

  it('forget the nodes of a Service on request', () => {
    const { nodeSync } = setup(undefined, 'a');
    nodeSync.recordNodes('shop/a', oneNode);
    nodeSync.forget('shop/a');
    expect(nodeSync.begin(oneNode)).toEqual(['shop/a']);
  });
});

describe.each(['1.26', '1.28'])('queued node syncs in %s', (version) => {
  it('compare with the nodes of the previous node sync, whatever a Service sync used since', () => {
    const { nodeSync, runNodeSync } = setup(version, 'a');
    nodeSync.recordNodes('shop/a', oneNode);
    expect([runNodeSync(oneNode), runNodeSync(oneNode), runNodeSync(twoNodes)]).toEqual([
      ['shop/a update n1'],
      [],
      ['shop/a update n1 n2'],
    ]);
  });
});

describe('queued node syncs in 1.26.0', () => {
  it('select nodes by the external traffic policy', () => {
    const { knownServices, runNodeSync } = setup('1.26.0', 'a', 'b');
    knownServices.set('shop/b', makeService({ externalTrafficPolicy: 'Local' }));
    expect(runNodeSync([makeNode('n1'), makeUnreadyNode('n2')])).toEqual(['shop/a update n1', 'shop/b update n1 n2']);
    expect(runNodeSync(twoNodes)).toEqual(['shop/a update n1 n2']);
  });
});
