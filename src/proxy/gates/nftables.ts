import type { ProxyGate } from './gate.ts';

/** Changes of the rules of the mode nftables. */
export type NftablesGateName =
  | 'nftablesMode'
  | 'clusterIPsCheck'
  | 'dropsInvalid'
  | 'firewallChains'
  | 'primaryNodePorts'
  | 'primaryKeyword'
  | 'plainFirewallElements'
  | 'filterAfterDnat'
  | 'masqueradeByCluster'
  | 'inlineMasquerade'
  | 'hairpinSet'
  | 'dnatMaps'
  | 'singleDnat'
  | 'shortComments';

/** Changes of the rules of the mode nftables, sorted by release. */
export const nftablesGates: Readonly<Record<NftablesGateName, ProxyGate>> = {
  nftablesMode: { since: '1.29.0', reference: '#121046', summary: 'kube-proxy has the mode nftables.' },
  clusterIPsCheck: {
    since: '1.30.0',
    reference: '#122692',
    summary: 'In nftables mode, packets to other ports of a cluster IP are rejected; before, they were not checked.',
  },
  dropsInvalid: {
    since: '1.29.0',
    until: '1.30.0',
    reference: '#122663',
    summary: 'In nftables mode, forwarded packets that conntrack considers invalid are dropped.',
  },
  firewallChains: {
    since: '1.30.0',
    reference: '#122296',
    summary: 'In nftables mode, a chain of each port checks source ranges before DNAT; before, a set of all ports did, after DNAT.',
  },
  primaryNodePorts: {
    since: '1.30.0',
    reference: '#122724',
    summary: "In nftables mode, node ports are served on the node's primary address by default; before, on all addresses.",
  },
  primaryKeyword: {
    since: '1.31.0',
    reference: '#123105',
    summary:
      'In nftables mode, this default is the value "primary"; before, it also applied if nodePortAddresses had ranges of the other family only.',
  },
  plainFirewallElements: { since: '1.31.0', summary: 'In nftables mode, elements of firewall-ips have no comment.' },
  filterAfterDnat: {
    since: '1.34.0',
    backports: ['1.33.6'],
    reference: '#132456',
    summary: 'In nftables mode, the chains that refuse traffic without endpoints run after DNAT, so that they do not affect local traffic.',
  },
  masqueradeByCluster: {
    since: '1.34.0',
    reference: '#131492',
    summary: 'In nftables mode, the rule that masquerades traffic to a cluster IP does not match its port again.',
  },
  inlineMasquerade: {
    since: '1.36.0',
    reference: '#135800',
    summary: 'In nftables mode, rules set the mark for masquerading; before, they jumped to the chain mark-for-masquerade.',
  },
  hairpinSet: {
    since: '1.36.0',
    reference: '#136499',
    summary: 'In nftables mode, a set lists the connections of pods to themselves, and one rule masquerades traffic to all cluster IPs.',
  },
  dnatMaps: {
    since: '1.36.0',
    summary: 'In nftables mode, a rule chooses an endpoint and rewrites the address; before, each endpoint had a chain.',
  },
  singleDnat: {
    since: '1.37.0',
    reference: '#140723',
    summary: 'In nftables mode, the rule of a port with a single endpoint has no map.',
  },
  shortComments: { since: '1.37.0', reference: '#139516', summary: 'In nftables mode, comments have at most 128 bytes.' },
};
