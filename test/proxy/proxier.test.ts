import { describe, expect, it } from 'vitest';
import {
  createNodeView,
  createProxier,
  diffNftables,
  formatIptablesTransaction,
  formatNftablesTransaction,
  type NftablesRules,
  nftablesRules,
  type ProxyNode,
  type ProxyService,
} from '../../src/proxy/index.ts';
import type { EndpointSliceInput } from '../../src/types/index.ts';
import { fc } from '../support/property.ts';
import { drainingConditions, makeSlice, makeWebService, node } from './fixtures.ts';
import { histories, type Step } from './histories.ts';
import { apply } from './nftables/fake-nft.ts';

describe('createProxier', () => {
  it('writes the whole table first, and nothing without a change', () => {
    const proxier = createProxier({ node });
    proxier.services.set(makeWebService());
    proxier.endpointSlices.set(makeSlice([{ ip: '10.0.0.1' }]));
    expect(apply(undefined, proxier.sync())).toEqual(nftablesRules(proxier.view(), node));
    expect(proxier.sync().commands).toEqual([]);
    proxier.services.set(makeWebService());
    expect(proxier.sync().commands).toEqual([]);
  });

  it('changes an endpoint with two commands', () => {
    const proxier = createProxier({ node });
    proxier.services.set(makeWebService());
    proxier.services.set(makeWebService({ clusterIP: '10.96.0.2' }, undefined, 'other'));
    proxier.endpointSlices.set(makeSlice([{ ip: '10.0.0.1' }, { ip: '10.0.0.2' }]));
    proxier.sync();
    proxier.endpointSlices.set(makeSlice([{ ip: '10.0.0.1' }, { ip: '10.0.0.2', ...drainingConditions }]));
    const lines = formatNftablesTransaction(proxier.sync()).trimEnd().split('\n');
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(/^flush chain ip kube-proxy service-\w{8}-shop\/web\/tcp\/http$/);
    expect(lines[1]).toMatch(/meta l4proto tcp dnat to 10\.0\.0\.1:8080$/);
  });

  it('writes the whole table again after forget', () => {
    const proxier = createProxier({ node });
    proxier.services.set(makeWebService());
    proxier.sync();
    proxier.forget();
    expect(
      proxier
        .sync()
        .commands.slice(0, 2)
        .map(({ verb, object }) => `${verb} ${object}`),
    ).toEqual(['add table', 'delete table']);
    expect(proxier.rules()).toEqual(nftablesRules(proxier.view(), node));
  });

  it('keeps all changes if a Service cannot be written as rules', () => {
    const proxier = createProxier({ node });
    proxier.services.set(makeWebService());
    const before = apply(undefined, proxier.sync());
    proxier.services.set(makeWebService({ clusterIP: '10.96.0.2' }, undefined, 'other'));
    proxier.services.set(makeWebService({ ports: [{ name: 'http', port: 70_000 }] }, undefined, 'invalid'));
    expect(() => proxier.sync()).toThrow('Service "shop/invalid:http": spec.ports[].port is 70000, but has to be a number from 1 to 65535');
    proxier.services.delete('shop/invalid');
    expect(apply(before, proxier.sync())).toEqual(nftablesRules(proxier.view(), node));
    expect(proxier.view().ports.map(({ service }) => service)).toEqual(['other', 'web']);
  });

  it('keeps its node if the new one is invalid', () => {
    const proxier = createProxier({ node });
    proxier.services.set(makeWebService());
    const before = proxier.sync() && proxier.rules();
    expect(() => proxier.setNode({ ...node, addresses: ['invalid'] })).toThrow('node.addresses: "invalid" is not an IP address');
    expect(proxier.sync().commands).toEqual([]);
    expect(proxier.rules()).toEqual(before);
  });

  it('supports iptables, and refuses other modes', () => {
    const proxier = createProxier({ node, mode: 'iptables' });
    proxier.services.set(makeWebService());
    proxier.sync();
    expect(Object.keys(proxier.rules().tables)).toEqual(['filter', 'nat']);
    proxier.endpointSlices.set(makeSlice([{ ip: '10.0.0.1' }]));
    expect(formatIptablesTransaction(proxier.sync())).toMatch(/-A KUBE-SVC-\w{16} .* -j KUBE-SEP-\w{16}\n/);
    expect(() => createProxier({ node, mode: 'ipvs' as 'iptables' })).toThrow('mode must be "nftables" or "iptables", not "ipvs"');
    expect(() => createProxier({ node, family: 'IPv5' as 'IPv4' })).toThrow('family must be "IPv4" or "IPv6", not "IPv5"');
  });
});

describe('createProxier after any history of Services, slices and nodes', () => {
  it("view, rules and nft's table equal a full rebuild, and transactions are minimal", () => {
    fc.assert(
      fc.property(histories(40), (steps) => {
        const proxier = createProxier({ node });
        const current = createCurrentObjects();
        let table: NftablesRules | undefined;
        for (const step of [...steps, { kind: 'sync' } as const]) {
          current.apply(step);
          if (step.kind === 'service') step.object ? proxier.services.set(step.object) : proxier.services.delete(step.key);
          if (step.kind === 'slice') step.object ? proxier.endpointSlices.set(step.object) : proxier.endpointSlices.delete(step.key);
          if (step.kind === 'node') proxier.setNode(step.node);
          if (step.kind !== 'sync') continue;
          const transaction = proxier.sync();
          const view = createNodeView(current, current.node);
          const rules = nftablesRules(view, current.node);
          expect(proxier.view()).toEqual(view);
          expect(proxier.rules()).toEqual(rules);
          expect(transaction.commands).toHaveLength(diffNftables(table, rules).commands.length);
          expect(apply(table, diffNftables(table, rules))).toEqual(rules);
          table = apply(table, transaction);
          expect(table).toEqual(rules);
        }
      }),
      { numRuns: 100 },
    );
  });
});

/** The objects and the node after the steps that were applied. */
function createCurrentObjects() {
  const services = new Map<string, ProxyService>();
  const slices = new Map<string, EndpointSliceInput>();
  const setOrDelete = <T>(map: Map<string, T>, key: string, object: T | undefined): unknown =>
    object ? map.set(key, object) : map.delete(key);
  const current = {
    node: node as ProxyNode,
    get services() {
      return services.values();
    },
    get endpointSlices() {
      return slices.values();
    },
    apply: (step: Step): void => {
      if (step.kind === 'service') setOrDelete(services, step.key, step.object);
      if (step.kind === 'slice') setOrDelete(slices, step.key, step.object);
      if (step.kind === 'node') current.node = step.node;
    },
  };
  return current;
}
