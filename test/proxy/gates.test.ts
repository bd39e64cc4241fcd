import { describe, expect, it } from 'vitest';
import { proxyGates, proxyGatesFor } from '../../src/proxy/gates.ts';
import { createNodeView, createProxier, iptablesRules, nftablesRules } from '../../src/proxy/index.ts';

const node = { name: 'n1', addresses: ['192.168.0.1'] };

describe('proxyGatesFor', () => {
  it('turns on every gate in the newest release and only rulesKnown in the oldest', () => {
    expect(Object.values(proxyGatesFor())).toStrictEqual(Object.keys(proxyGates).map(() => true));
    const gates = Object.entries(proxyGatesFor({ version: '1.32' })).filter(([, isOn]) => isOn);
    expect(gates).toStrictEqual([['rulesKnown', true]]);
  });

  it('rejects releases whose rules are unknown, in every public function', () => {
    const message = 'version "1.31": the rules of kube-proxy are known for "1.32" to "1.37"';
    const options = { version: '1.31' };
    const view = createNodeView({}, node);
    expect(() => createNodeView({}, node, options)).toThrow(new RangeError(message));
    expect(() => iptablesRules(view, node, options)).toThrow(new RangeError(message));
    expect(() => nftablesRules(view, node, options)).toThrow(new RangeError(message));
    expect(() => createProxier({ node, ...options })).toThrow(new RangeError(message));
    expect(() => proxyGatesFor({ version: '1.8' })).toThrow(RangeError);
  });
});
