import { describe, expect, it } from 'vitest';
import { createNodeView, diffIptables, iptablesRules, type ProxyService } from '../../../src/proxy/index.ts';
import { isEmptyIptablesTransaction } from '../../../src/proxy/iptables/diff.ts';
import { nodeOf, type ProxyCase, readVectors, viewOf } from '../../golden/proxy/form.ts';
import { apply, makeSlice, makeWebService, node, rulesFor, sortSharedChains, stateOf } from './fixtures.ts';

const endpoints = (count: number) => Array.from({ length: count }, (_, i) => ({ ip: `10.1.0.${i + 1}` }));

describe('diffIptables', () => {
  it('returns an empty transaction for the rules of the same objects', () => {
    expect(
      isEmptyIptablesTransaction(diffIptables(rulesFor(makeWebService(), endpoints(3)), rulesFor(makeWebService(), endpoints(3)))),
    ).toBe(true);
  });

  it('contains all rules and jumps if there are no previous rules', () => {
    const rules = rulesFor(makeWebService(), endpoints(1));
    const { jumps, tables } = diffIptables(undefined, rules);
    expect(jumps).toEqual(rules.jumps);
    expect(tables.nat.write).toEqual(rules.tables.nat);
  });

  it('writes the chains of the Service and of the endpoint if an endpoint is added', () => {
    const { tables, jumps } = diffIptables(rulesFor(makeWebService(), endpoints(3)), rulesFor(makeWebService(), endpoints(4)));
    expect({ ...tables.filter, jumps }).toEqual({ write: [], remove: [], insert: [], delete: [], jumps: [] });
    expect(tables.nat.write.map(({ name }) => name)).toEqual([expect.stringMatching(/^KUBE-SVC-/), expect.stringMatching(/^KUBE-SEP-/)]);
    expect(tables.nat).toMatchObject({ remove: [], insert: [], delete: [] });
  });

  it('inserts a single rule in a shared chain if a Service is added', () => {
    const services = (count: number): ProxyService[] =>
      Array.from({ length: count }, (_, i) => ({
        ...makeWebService({ clusterIP: `10.96.1.${i}` }),
        metadata: { namespace: 'shop', name: `other-${i}` },
      }));
    const rules = (count: number) =>
      iptablesRules(createNodeView({ services: services(count), endpointSlices: [makeSlice([])] }, node), node);
    const { tables } = diffIptables(rules(20), rules(21));
    expect(tables.filter.insert).toEqual([
      { chain: 'KUBE-SERVICES', rule: expect.objectContaining({ comment: 'shop/other-20:http has no endpoints' }) },
    ]);
    expect(tables.filter).toMatchObject({ write: [], remove: [], delete: [] });
    expect(diffIptables(rules(21), rules(20)).tables.filter).toMatchObject({ write: [], remove: tables.filter.insert, insert: [] });
  });

  it('refuses rules of two families', () => {
    const ipv6Rules = iptablesRules(createNodeView({}, node, { family: 'IPv6' }), node);
    expect(() => diffIptables(rulesFor(makeWebService(), []), ipv6Rules)).toThrow(RangeError);
  });
});

it('applying diffIptables turns any rules into any other rules', () => {
  const cases = readVectors<ProxyCase>('rules-cases');
  const rules = cases.map((proxyCase) => iptablesRules(viewOf(proxyCase, 'IPv4'), nodeOf(proxyCase)));
  for (let i = 1; i < rules.length; i++) {
    const [before, after] = [rules[i - 1], rules[i]] as const;
    if (!before || !after) continue;
    const state = apply(stateOf(before), diffIptables(before, after));
    expect(sortSharedChains(state), `${cases[i - 1]?.id} to ${cases[i]?.id}`).toEqual(sortSharedChains(stateOf(after)));
  }
});
