import { describe, expect, it } from 'vitest';
import { resolveOrigin } from '../../src/trace/origin.ts';
import { makeCluster, makePod, shop } from './shop.ts';

const resolveInShop = (question: object) => resolveOrigin({ target: 'web', ...question }, shop);

describe('resolveOrigin', () => {
  it('returns only a namespace by default', () => {
    expect(resolveInShop({})).toEqual({ namespace: 'default' });
    expect(resolveInShop({ namespace: 'shop' })).toEqual({ namespace: 'shop' });
  });

  it.each(['pod/frontend-1', 'pods/frontend-1', 'po/frontend-1', 'frontend-1'])('returns the namespace and node of %s', (from) => {
    expect(resolveInShop({ from, namespace: 'shop' })).toEqual({ namespace: 'shop', node: 'n3', pod: shop.pods[3] });
  });

  it("uses the namespace in the pod's name", () => {
    expect(resolveInShop({ from: 'shop/pod/frontend-1' })).toMatchObject({ namespace: 'shop' });
  });

  it("prefers the requested node over the pod's node", () => {
    expect(resolveInShop({ from: 'shop/pod/frontend-1', node: 'n1' })).toMatchObject({ node: 'n1' });
  });

  it('returns no node for an unscheduled pod', () => {
    const objects = makeCluster([], [makePod('frontend-1', 1, { spec: { nodeName: '' } })]);
    expect(resolveOrigin({ target: 'web', from: 'shop/pod/frontend-1' }, objects)).not.toHaveProperty('node');
  });

  it.each([
    [
      { from: 'frontend-1' },
      'from "frontend-1": namespace "default" has no pod "frontend-1", but there is shop/frontend-1: give "NAMESPACE/pod/NAME" of an existing pod',
    ],
    [{ from: 'pod/x' }, 'from "pod/x": namespace "default" has no pod "x": give "NAMESPACE/pod/NAME" of an existing pod'],
    [{ from: '' }, 'from "": give "pod/NAME"'],
    [{ from: 'node/n1' }, 'from "node/n1": give "pod/NAME"'],
    [{ from: 'a/b/c/d' }, 'from "a/b/c/d": give "pod/NAME"'],
    [{ node: 'n7' }, 'node "n7" does not exist: give one of n1, n2, n3'],
  ])('refuses %j', (question, message) => {
    expect(() => resolveInShop(question)).toThrow(message);
  });

  it('accepts any node if no nodes are given', () => {
    expect(resolveOrigin({ target: 'web', node: 'n7' }, { services: [], pods: [] })).toMatchObject({ node: 'n7' });
  });
});
