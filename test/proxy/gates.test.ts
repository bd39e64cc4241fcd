import { describe, expect, it } from 'vitest';
import { proxyGates, proxyGatesFor } from '../../src/proxy/gates.ts';
import { createNodeView, createProxier, iptablesRules, nftablesRules } from '../../src/proxy/index.ts';

const node = { name: 'n1', addresses: ['192.168.0.1'] };

describe('proxyGatesFor', () => {
  it('turns on every gate in the newest release and none in the oldest', () => {
    expect(Object.values(proxyGatesFor())).toStrictEqual(Object.keys(proxyGates).map(() => true));
    expect(Object.values(proxyGatesFor({ version: '1.32' })).filter(Boolean)).toStrictEqual([]);
  });

  it('rejects releases whose rules are unknown, in every public function', () => {
    const message = 'Kubernetes version "1.31" is not known: give "1.32" to "1.37", or a patch release of one, such as "1.37.0"';
    const options = { version: '1.31' };
    const view = createNodeView({}, node);
    expect(() => createNodeView({}, node, options)).toThrow(new RangeError(message));
    expect(() => iptablesRules(view, node, options)).toThrow(new RangeError(message));
    expect(() => nftablesRules(view, node, options)).toThrow(new RangeError(message));
    expect(() => createProxier({ node, ...options })).toThrow(new RangeError(message));
    expect(() => proxyGatesFor({ version: '1.8' })).toThrow(RangeError);
  });
});
