import { describe, expect, it } from 'vitest';
import { createNodeView, diffIptables, iptablesRules, type ProxyService } from '../../../src/proxy/index.ts';
import { isEmptyIptablesTransaction } from '../../../src/proxy/iptables/diff.ts';
import { nodeOf, type ProxyCase, readVectors, viewOf } from '../../golden/proxy/form.ts';
import { apply, inAnyOrder, node, rulesFor, slice, stateOf, web } from './worlds.ts';

const endpoints = (count: number) => Array.from({ length: count }, (_, i) => ({ ip: `10.1.0.${i + 1}` }));

describe('diffIptables', () => {
  it('is empty for the rules of the same objects', () => {
    expect(isEmptyIptablesTransaction(diffIptables(rulesFor(web(), endpoints(3)), rulesFor(web(), endpoints(3))))).toBe(true);
  });

  it('contains all rules and jumps if there were none before', () => {
    const rules = rulesFor(web(), endpoints(1));
    const { jumps, tables } = diffIptables(undefined, rules);
    expect(jumps).toEqual(rules.jumps);
    expect(tables.nat.write).toEqual(rules.tables.nat);
  });

  it('writes the chains of the Service and of the endpoint if an endpoint is added', () => {
    const { tables, jumps } = diffIptables(rulesFor(web(), endpoints(3)), rulesFor(web(), endpoints(4)));
    expect({ ...tables.filter, jumps }).toEqual({ write: [], remove: [], insert: [], delete: [], jumps: [] });
    expect(tables.nat.write.map(({ name }) => name)).toEqual([expect.stringMatching(/^KUBE-SVC-/), expect.stringMatching(/^KUBE-SEP-/)]);
    expect(tables.nat).toMatchObject({ remove: [], insert: [], delete: [] });
  });

  it('inserts a single rule in a shared chain if a Service is added', () => {
    const services = (count: number): ProxyService[] =>
      Array.from({ length: count }, (_, i) => ({
        ...web({ clusterIP: `10.96.1.${i}` }),
        metadata: { namespace: 'shop', name: `other-${i}` },
      }));
    const rules = (count: number) => iptablesRules(createNodeView({ services: services(count), endpointSlices: [slice([])] }, node), node);
    const { tables } = diffIptables(rules(20), rules(21));
    expect(tables.filter.insert).toEqual([
      { chain: 'KUBE-SERVICES', rule: expect.objectContaining({ comment: 'shop/other-20:http has no endpoints' }) },
    ]);
    expect(tables.filter).toMatchObject({ write: [], remove: [], delete: [] });
    expect(diffIptables(rules(21), rules(20)).tables.filter).toMatchObject({ write: [], remove: tables.filter.insert, insert: [] });
  });

  it('refuses rules of two families', () => {
    const six = iptablesRules(createNodeView({}, node, { family: 'IPv6' }), node);
    expect(() => diffIptables(rulesFor(web(), []), six)).toThrow(RangeError);
  });
});

it('diffIptables leads from any rules to any others', () => {
  const cases = readVectors<ProxyCase>('rules-cases');
  const rules = cases.map((proxyCase) => iptablesRules(viewOf(proxyCase, 'IPv4'), nodeOf(proxyCase)));
  for (let i = 1; i < rules.length; i++) {
    const [before, after] = [rules[i - 1], rules[i]] as const;
    if (!before || !after) continue;
    const made = apply(stateOf(before), diffIptables(before, after));
    expect(inAnyOrder(made), `${cases[i - 1]?.id} to ${cases[i]?.id}`).toEqual(inAnyOrder(stateOf(after)));
  }
});
