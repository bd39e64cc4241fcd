import { describe, expect, it } from 'vitest';
import { createNodeView, iptablesRules, type ProxyNode } from '../../../src/proxy/index.ts';
import type { IptablesChain } from '../../../src/proxy/iptables/model.ts';
import { findChain, node } from './fixtures.ts';

const namesOf = (chains: readonly IptablesChain[]) => chains.map(({ name }) => name);
const rulesWithoutServices = (nodeOptions: Partial<ProxyNode> = {}) => iptablesRules(createNodeView({}, node), { ...node, ...nodeOptions });

describe('iptablesRules without Services', () => {
  it('masquerades marked traffic, with random ports if supported', () => {
    const lastRule = (nodeOptions?: Partial<ProxyNode>) => findChain(rulesWithoutServices(nodeOptions), 'nat', 'KUBE-POSTROUTING')?.at(-1);
    expect(lastRule()).toBe('-m comment --comment "kubernetes service traffic requiring SNAT" -j MASQUERADE');
    expect(lastRule({ randomFully: true })).toBe(
      '-m comment --comment "kubernetes service traffic requiring SNAT" -j MASQUERADE --random-fully',
    );
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
