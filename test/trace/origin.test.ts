import { describe, expect, it } from 'vitest';
import { originOf } from '../../src/trace/origin.ts';
import { makeCluster, makePod, shop } from './shop.ts';

const at = (question: object) => originOf({ target: 'web', ...question }, shop);

describe('originOf', () => {
  it('is a namespace, where nothing else is given', () => {
    expect(at({})).toEqual({ namespace: 'default' });
    expect(at({ namespace: 'shop' })).toEqual({ namespace: 'shop' });
  });

  it.each(['pod/frontend-1', 'pods/frontend-1', 'po/frontend-1', 'frontend-1'])('takes namespace and node of %s', (from) => {
    expect(at({ from, namespace: 'shop' })).toEqual({ namespace: 'shop', node: 'n3', pod: shop.pods[3] });
  });

  it('takes the namespace that the pod is named with', () => {
    expect(at({ from: 'shop/pod/frontend-1' })).toMatchObject({ namespace: 'shop' });
  });

  it('takes the node that is asked for instead of that of the pod', () => {
    expect(at({ from: 'shop/pod/frontend-1', node: 'n1' })).toMatchObject({ node: 'n1' });
  });

  it('knows no node of a pod that is on none', () => {
    const objects = makeCluster([], [makePod('frontend-1', 1, { spec: { nodeName: '' } })]);
    expect(originOf({ target: 'web', from: 'shop/pod/frontend-1' }, objects)).not.toHaveProperty('node');
  });

  it.each([
    [
      { from: 'frontend-1' },
      'pod "frontend-1" that is asked from is not in namespace "default"; there is shop/frontend-1: name one that is',
    ],
    [{ from: 'pod/x' }, 'pod "x" that is asked from is not in namespace "default": name one that is'],
    [{ from: '' }, 'from "": give "pod/NAME"'],
    [{ from: 'node/n1' }, 'from "node/n1": give "pod/NAME"'],
    [{ from: 'a/b/c/d' }, 'from "a/b/c/d": give "pod/NAME"'],
    [{ node: 'n7' }, 'node "n7" is not there: give one of n1, n2, n3'],
  ])('%j cannot be asked from', (question, message) => {
    expect(() => at(question)).toThrow(message);
  });

  it('takes any node where none is known', () => {
    expect(originOf({ target: 'web', node: 'n7' }, { services: [], pods: [] })).toMatchObject({ node: 'n7' });
  });
});
