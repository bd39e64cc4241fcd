import { describe, expect, it } from 'vitest';
import { loadBalancerSettings } from '../../src/load-balancer/gates.ts';
import { type BalancedNode, balancedNodes, exclusionOf } from '../../src/load-balancer/index.ts';
import { createFingerprint, type NodeExclusion, triggersNodeSync } from '../../src/load-balancer/nodes.ts';
import { makeExcludedNode, makeNode, makeUnreadyNode } from './services.ts';

const deletedNode = makeNode('n', { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } });
const nodeToBeDeleted = makeNode('n', { spec: { taints: [{ key: 'other' }, { key: 'ToBeDeletedByClusterAutoscaler' }] } });
const nodeWithoutID = makeNode('n', { spec: { providerID: '' } });
const unschedulableNode = makeNode('n', { spec: { unschedulable: true } });
const masterNode = makeNode('n', { metadata: { labels: { 'node-role.kubernetes.io/master': '' } } });
const nodeWithoutConditions = makeNode('n', { status: { conditions: [] } });
const nodeWithoutReady = makeNode('n', { status: { conditions: [{ type: 'MemoryPressure', status: 'False' }] } });

describe('exclusionOf', () => {
  it.each<[string, BalancedNode, NodeExclusion, string, string]>([
    ['being deleted', deletedNode, 'BeingDeleted', '1.27 1.36', '1.17 1.26'],
    ['with the exclude label', makeExcludedNode('n'), 'ExcludeLabel', '1.19 1.36', '1.17 1.18'],
    ['about to be deleted', nodeToBeDeleted, 'ToBeDeletedTaint', '1.21 1.22.4 1.36', '1.17 1.21.6 1.22.3'],
    ['without a provider ID', nodeWithoutID, 'WithoutProviderID', '1.26 1.27', '1.17 1.26.4 1.27.1 1.28 1.36'],
    ['that is not ready', makeUnreadyNode('n'), 'NotReady', '1.17 1.26', '1.27 1.36'],
    ['without conditions', nodeWithoutConditions, 'NotReady', '1.17 1.26', '1.27 1.36'],
    ['without a Ready condition', nodeWithoutReady, 'NotReady', '1.25.0 1.25.2 1.26', '1.17 1.24 1.25.3 1.27'],
    ['that is unschedulable', unschedulableNode, 'Unschedulable', '1.17 1.18', '1.19 1.36'],
    ['with the label of a master', masterNode, 'ControlPlane', '1.17 1.20', '1.21 1.36'],
  ])('excludes a node %s', (_, node, code, on, off) => {
    for (const version of on.split(' ')) expect([version, exclusionOf(node, { version })]).toEqual([version, code]);
    for (const version of off.split(' ')) expect([version, exclusionOf(node, { version })]).toEqual([version, undefined]);
  });

  it('includes a healthy node in every release', () => {
    for (let minor = 17; minor <= 37; minor++) expect(exclusionOf(makeNode('n'), { version: `1.${minor}` })).toBeUndefined();
  });

  it('parses the value of the exclude label as a Go boolean from 1.34 on', () => {
    const isExcluded = (value: string, version?: string): boolean => exclusionOf(makeExcludedNode('n', value), { version }) !== undefined;
    expect(['0', 'f', 'F', 'false', 'FALSE', 'False'].filter((value) => isExcluded(value))).toEqual([]);
    expect(['', '1', 'true', 'T', 'yes', 'fALSE', ' false', 'no'].filter((value) => !isExcluded(value))).toEqual([]);
    expect(isExcluded('false', '1.33')).toBe(true);
  });

  it('applies separate rules to the external traffic policy Local in 1.25.0 to 1.25.2 and 1.26', () => {
    const exclusionForLocal = (node: BalancedNode, version: string) => exclusionOf(node, { version, externalTrafficPolicy: 'Local' });
    expect(['1.25.0', '1.26.10'].map((version) => exclusionForLocal(makeUnreadyNode('n'), version))).toEqual([undefined, undefined]);
    expect(['1.24', '1.25.3', '1.26.11'].map((version) => exclusionForLocal(makeUnreadyNode('n'), version))).toEqual([
      'NotReady',
      'NotReady',
      'NotReady',
    ]);
    expect(['1.26.4', '1.26.5'].map((version) => exclusionForLocal(nodeWithoutID, version))).toEqual([undefined, 'WithoutProviderID']);
  });
});

describe('balancedNodes', () => {
  it('returns the nodes that are not excluded, sorted by name, without changing the list', () => {
    const nodes = Object.freeze([makeNode('c'), makeExcludedNode('b'), makeNode('a10'), makeNode('a9')]);
    expect(balancedNodes(nodes).map(({ metadata }) => metadata?.name)).toEqual(['a10', 'a9', 'c']);
    expect(balancedNodes([])).toEqual([]);
  });
});

describe('triggersNodeSync', () => {
  const triggers = (old: BalancedNode, node: BalancedNode, version?: string): boolean =>
    triggersNodeSync(old, node, loadBalancerSettings({ version }));
  const nodeWithOtherID = makeNode('n', { spec: { providerID: 'cloud:///b' } });

  it('compares the exclude label by its effect', () => {
    expect(triggers(makeNode('n'), makeExcludedNode('n'))).toBe(true);
    expect(triggers(makeExcludedNode('n', 'true'), makeExcludedNode('n', ''))).toBe(false);
    expect(triggers(makeNode('n'), makeExcludedNode('n', 'false'))).toBe(false);
    expect(triggers(makeNode('n'), makeExcludedNode('n', 'false'), '1.33')).toBe(true);
  });

  it('compares provider IDs from 1.28 on, and only their presence in releases that require them', () => {
    expect(['1.25', '1.26', '1.27', '1.28', '1.36'].map((version) => triggers(makeNode('n'), nodeWithOtherID, version))).toEqual([
      false,
      false,
      false,
      true,
      true,
    ]);
    expect(['1.26.4', '1.26.5', '1.27.1', '1.27.2'].map((version) => triggers(makeNode('n'), nodeWithoutID, version))).toEqual([
      false,
      true,
      false,
      true,
    ]);
  });

  it('compares readiness up to 1.26, and ignores the taint from 1.27 on', () => {
    expect(['1.19', '1.25', '1.26', '1.27', '1.36'].map((version) => triggers(makeNode('n'), makeUnreadyNode('n'), version))).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
    expect(['1.25', '1.26', '1.27', '1.36'].map((version) => triggers(makeNode('n'), nodeToBeDeleted, version))).toEqual([
      false,
      true,
      false,
      false,
    ]);
  });

  it('compares all labels and schedulability from 1.19 to 1.25', () => {
    const labelled = makeNode('n', { metadata: { labels: { a: '1' } } });
    for (const node of [labelled, unschedulableNode]) {
      expect(['1.19', '1.25', '1.25.0', '1.26', '1.36'].map((version) => triggers(makeNode('n'), node, version))).toEqual([
        true,
        true,
        false,
        false,
        false,
      ]);
    }
    expect(triggers(labelled, makeNode('n', { metadata: { labels: { a: '1' } } }), '1.19')).toBe(false);
    expect(triggers(labelled, makeNode('n', { metadata: { labels: { b: '1' } } }), '1.19')).toBe(true);
  });
});

describe('createFingerprint', () => {
  it('covers the names, and the provider IDs in releases that compare them', () => {
    const fingerprint = (version: string, ...nodes: BalancedNode[]): string => createFingerprint(nodes, loadBalancerSettings({ version }));
    const nodeWithOtherID = makeNode('a', { spec: { providerID: 'cloud:///b' } });
    expect(fingerprint('1.36', makeNode('a'))).not.toBe(fingerprint('1.36', nodeWithOtherID));
    expect(fingerprint('1.28.3', makeNode('a'))).toBe(fingerprint('1.28.3', nodeWithOtherID));
    expect(fingerprint('1.36', makeNode('a,b'))).not.toBe(fingerprint('1.36', makeNode('a'), makeNode('b')));
  });
});
