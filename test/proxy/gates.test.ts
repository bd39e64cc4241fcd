import { describe, expect, it } from 'vitest';
import { proxyGates, proxyGatesFor } from '../../src/proxy/gates.ts';
import { createNodeView, createProxier, iptablesRules, nftablesRules } from '../../src/proxy/index.ts';

const node = { name: 'n1', addresses: ['192.168.0.1'] };

describe('proxyGatesFor', () => {
  it('turns on every gate without an end in the newest release, and few in the oldest', () => {
    const lasting = Object.entries(proxyGates).map(([name, { until }]) => [name, until === undefined] as const);
    expect(proxyGatesFor()).toStrictEqual(Object.fromEntries(lasting));
    const oldest = Object.entries(proxyGatesFor({ version: '1.24' }));
    expect(oldest.filter(([, isOn]) => isOn)).toStrictEqual([]);
  });

  it('rejects releases whose rules are unknown, in every public function', () => {
    const message = 'Kubernetes version "1.23" is not known: give "1.24" to "1.37", or a patch release of one, such as "1.37.0"';
    const options = { version: '1.23' };
    const view = createNodeView({}, node);
    expect(() => createNodeView({}, node, options)).toThrow(new RangeError(message));
    expect(() => iptablesRules(view, node, options)).toThrow(new RangeError(message));
    expect(() => nftablesRules(view, node, options)).toThrow(new RangeError(message));
    expect(() => createProxier({ node, ...options })).toThrow(new RangeError(message));
    expect(() => proxyGatesFor({ version: '1.8' })).toThrow(RangeError);
  });

  it('rejects the mode nftables before 1.29', () => {
    const message = 'kube-proxy has the mode nftables since 1.29: use the mode iptables or a later version';
    const options = { version: '1.28' };
    const view = createNodeView({}, node, options);
    expect(() => nftablesRules(view, node, options)).toThrow(new RangeError(message));
    expect(() => createProxier({ node, ...options })).toThrow(new RangeError(message));
    expect(() => createProxier({ node, mode: 'iptables', ...options })).not.toThrow();
  });
});
