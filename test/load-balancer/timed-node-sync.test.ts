import { describe, expect, it } from 'vitest';
import { loadBalancerSettings } from '../../src/load-balancer/gates.ts';
import type { BalancedNode, BalancedService } from '../../src/load-balancer/index.ts';
import { createTimedNodeSync } from '../../src/load-balancer/node-sync.ts';
import type { NodeSync } from '../../src/load-balancer/planner.ts';
import { createFailingAnswer, play } from './script.ts';
import { makeNode, makeService, makeUnreadyNode } from './services.ts';

const failingUpdate = { update: createFailingAnswer(new Error('down')) };

function setup(version: string, ...names: readonly string[]) {
  const services = new Map<string, BalancedService>(names.map((name) => [`shop/${name}`, makeService({}, { name })]));
  const nodeSync = createTimedNodeSync({ knownServices: services, syncingKeys: new Set() }, loadBalancerSettings({ version }));
  return { services, nodeSync, runNodeSync: (nodes: readonly BalancedNode[], script = {}) => runAndListUpdates(nodeSync, nodes, script) };
}

/** Runs a node sync and returns its update calls. */
const runAndListUpdates = (nodeSync: NodeSync, nodes: readonly BalancedNode[], script: object): string[] =>
  nodeSync.begin(nodes).flatMap((key) =>
    play(nodeSync.syncNodes(key, nodes), script)
      .log.filter((each) => each.startsWith('update'))
      .map((each) => `${key} ${each}`),
  );

const [oneNode, twoNodes] = [[makeNode('n1')], [makeNode('n1'), makeNode('n2')]];

describe.each(['1.17', '1.24'])('periodic node syncs in %s', (version) => {
  it('update all Services if the set of nodes changed', () => {
    const { runNodeSync } = setup(version, 'a', 'b');
    expect(runNodeSync(oneNode)).toEqual(['shop/a update n1', 'shop/b update n1']);
    expect(runNodeSync([makeNode('n1', { spec: { providerID: 'cloud:///other' } })])).toEqual([]);
    expect(runNodeSync(twoNodes)).toEqual(['shop/a update n1 n2', 'shop/b update n1 n2']);
    expect(runNodeSync([...twoNodes, makeUnreadyNode('n3')])).toEqual([]);
  });

  it('update nothing if the set of nodes stays empty', () => {
    expect(setup(version, 'a').runNodeSync([makeUnreadyNode('n1')])).toEqual([]);
  });

  it('retry failed Services until they succeed', () => {
    const { runNodeSync } = setup(version, 'a', 'b');
    expect(runNodeSync(oneNode, { update: (effect: { service: BalancedService }) => failFor('b')(effect) })).toHaveLength(2);
    expect(runNodeSync(oneNode, failingUpdate)).toEqual(['shop/b update n1']);
    expect(runNodeSync(oneNode)).toEqual(['shop/b update n1']);
    expect(runNodeSync(oneNode)).toEqual([]);
  });

  it('skip Services that need no load balancer', () => {
    const { services, runNodeSync } = setup(version, 'a');
    services.set('shop/a', makeService({ type: 'NodePort' }));
    expect(runNodeSync(oneNode)).toEqual([]);
  });

  it('forget a failed Service on request', () => {
    const { nodeSync, runNodeSync } = setup(version, 'a');
    runNodeSync(oneNode, failingUpdate);
    nodeSync.forget('shop/a');
    expect(runNodeSync(oneNode)).toEqual([]);
  });
});

const failFor =
  (name: string) =>
  ({ service }: { service: BalancedService }) => {
    if (service.metadata?.name === name) throw new Error('down');
  };

describe('a failed update', () => {
  it('is retried with the Service object of the failed update up to 1.23, and with the current object from 1.24 on', () => {
    const updatesAfterFailure = (version: string, change: (services: Map<string, BalancedService>) => void): string[] => {
      const { services, runNodeSync } = setup(version, 'a');
      runNodeSync(oneNode, failingUpdate);
      change(services);
      return runNodeSync(oneNode);
    };
    const remove = (services: Map<string, BalancedService>): boolean => services.delete('shop/a');
    const retype = (services: Map<string, BalancedService>): unknown => services.set('shop/a', makeService({ type: 'NodePort' }));
    expect([updatesAfterFailure('1.17', remove), updatesAfterFailure('1.24', remove)]).toEqual([['shop/a update n1'], []]);
    expect([updatesAfterFailure('1.17', retype), updatesAfterFailure('1.24', retype)]).toEqual([['shop/a update n1'], []]);
  });

  it('is not retried in 1.25.0 to 1.25.2, which find the nodes unchanged', () => {
    const { runNodeSync } = setup('1.25.0', 'a');
    expect([runNodeSync(oneNode, failingUpdate), runNodeSync(oneNode), runNodeSync(twoNodes)]).toEqual([
      ['shop/a update n1'],
      [],
      ['shop/a update n1 n2'],
    ]);
  });
});
