import { describe, expect, it } from 'vitest';
import { compareProxies } from '../../src/proxy/index.ts';
import { makeSlice, makeWebService, node } from './fixtures.ts';

const objects = (endpoints: Parameters<typeof makeSlice>[0], spec = {}) => ({
  services: [makeWebService(spec)],
  endpointSlices: [makeSlice(endpoints)],
});
const terminating = [{ ip: '10.0.0.1', ready: false, serving: true, terminating: true }];

describe('compareProxies', () => {
  it('finds nothing between equal releases', () => {
    const release = { version: '1.36' };
    expect(compareProxies(objects([{ ip: '10.0.0.1' }]), node, { from: release, to: release })).toStrictEqual({ traffic: [], rules: [] });
  });

  it('names the gate that sends traffic elsewhere, and the modes whose rules differ', () => {
    const { traffic, rules } = compareProxies(objects(terminating), node, { from: { version: '1.25' }, to: { version: '1.26' } });
    expect(traffic).toStrictEqual([{ port: 'shop/web:http TCP', before: [], after: ['10.0.0.1:8080'], gates: ['terminatingFallback'] }]);
    expect(rules.map(({ mode, gates }) => ({ mode, gates }))).toStrictEqual([
      { mode: 'iptables', gates: ['terminatingFallback', 'localhostOption'] },
      { mode: 'ipvs', gates: ['terminatingFallback', 'hostPortsHidden', 'loopbackSourcesReturn'] },
    ]);
  });

  it('compares the modes that both releases have, with the lines of each', () => {
    const { rules } = compareProxies(objects([{ ip: '10.0.0.1' }]), node, { from: { version: '1.36' }, to: { version: '1.37' } });
    expect(rules).toStrictEqual([
      { mode: 'nftables', removed: 1, added: 1, gates: ['singleDnat'] },
      { mode: 'iptables', removed: 1, added: 1, gates: ['alwaysRandomFully'] },
      { mode: 'ipvs', removed: 1, added: 1, gates: ['alwaysRandomFully'] },
    ]);
  });

  it('compares a release with itself and a feature gate', () => {
    const external = objects([{ ip: '10.0.0.1' }], { externalIPs: ['198.51.100.1'] });
    const { rules } = compareProxies(external, node, {
      from: { version: '1.36' },
      to: { version: '1.36', featureGates: { AllowServiceExternalIPs: false } },
    });
    expect(new Set(rules.flatMap(({ gates }) => gates))).toStrictEqual(new Set(['externalIPs']));
    expect(rules.map(({ mode }) => mode)).toStrictEqual(['nftables', 'iptables', 'ipvs']);
  });

  it('rejects an unknown release', () => {
    expect(() => compareProxies({}, node, { from: { version: '1.16' }, to: {} })).toThrow('give "1.17" to "1.37"');
  });
});
