import { describe, expect, it } from 'vitest';
import { createNodeView, iptablesRules, type ProxyNode } from '../../../src/proxy/index.ts';
import { dumpIptables } from '../../../src/proxy/iptables/format.ts';
import type { IptablesChain } from '../../../src/proxy/iptables/model.ts';
import { findChain, node } from './fixtures.ts';

const namesOf = (chains: readonly IptablesChain[]) => chains.map(({ name }) => name);
const rulesWithoutServices = (nodeOptions: Partial<ProxyNode> = {}) => iptablesRules(createNodeView({}, node), { ...node, ...nodeOptions });

describe('iptablesRules without Services', () => {
  it('masquerades marked traffic with random ports, before 1.37 only if supported', () => {
    const rule = '-m comment --comment "kubernetes service traffic requiring SNAT" -j MASQUERADE';
    const lastRuleIn = (version: string, randomFully: boolean) => {
      const rules = iptablesRules(createNodeView({}, node), { ...node, randomFully }, { version });
      return dumpIptables(rules).nat['KUBE-POSTROUTING']?.at(-1);
    };
    expect(lastRuleIn('1.37', false)).toBe(`${rule} --random-fully`);
    expect(lastRuleIn('1.36', true)).toBe(`${rule} --random-fully`);
    expect(lastRuleIn('1.36', false)).toBe(rule);
  });

  it('uses the configured masquerade bit', () => {
    expect(findChain(rulesWithoutServices({ masqueradeBit: 15 }), 'nat', 'KUBE-MARK-MASQ')).toEqual(['-j MARK --or-mark 0x00008000']);
    expect(findChain(rulesWithoutServices({ masqueradeBit: 15 }), 'nat', 'KUBE-POSTROUTING')?.[0]).toBe(
      '-m mark ! --mark 0x00008000/0x00008000 -j RETURN',
    );
  });

  it('drops external traffic to loopback addresses if node ports are served there', () => {
    expect(findChain(rulesWithoutServices(), 'filter', 'KUBE-FIREWALL')).toEqual([]);
    expect(findChain(rulesWithoutServices({ localhostNodePorts: true }), 'filter', 'KUBE-FIREWALL')).toHaveLength(1);
  });

  it('contains the chains to which Services add rules', () => {
    const { filter, nat } = rulesWithoutServices().tables;
    expect(namesOf(filter)).toEqual([
      'KUBE-SERVICES',
      'KUBE-EXTERNAL-SERVICES',
      'KUBE-FORWARD',
      'KUBE-NODEPORTS',
      'KUBE-PROXY-FIREWALL',
      'KUBE-FIREWALL',
    ]);
    expect(namesOf(nat)).toEqual(['KUBE-SERVICES', 'KUBE-NODEPORTS', 'KUBE-POSTROUTING', 'KUBE-MARK-MASQ']);
  });
});
