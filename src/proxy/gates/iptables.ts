import type { ProxyGate } from './gate.ts';

/** Changes of the rules of the mode iptables. */
export type IptablesGateName =
  | 'endpointComments'
  | 'repliesOfAnySource'
  | 'markCleared'
  | 'nodePortsOfFamily'
  | 'externalIPsLocal'
  | 'rejectsForwarded'
  | 'ensuresMarkDrop'
  | 'podsReachExternalIPs'
  | 'healthCheckRules'
  | 'masqueradeInChain'
  | 'unreadyChains'
  | 'endpointChainsFirst'
  | 'chainsWithoutNodePorts'
  | 'plainAddresses'
  | 'shortBalancingComments'
  | 'oneReplyRule'
  | 'externalChains'
  | 'dropsInFilter'
  | 'firewallInFilter'
  | 'localhostOption'
  | 'firewallComment'
  | 'localnetRule'
  | 'unusedNodePorts'
  | 'alwaysRandomFully';

/** Changes of the rules of the mode iptables, sorted by release. */
export const iptablesGates: Readonly<Record<IptablesGateName, ProxyGate>> = {
  endpointComments: {
    since: '1.18.0',
    summary: 'In iptables mode, the rules of endpoints have comments.',
  },
  repliesOfAnySource: {
    since: '1.18.0',
    summary: 'In iptables mode, all replies are forwarded; before, only those from and to the pod CIDR.',
  },
  markCleared: {
    since: '1.19.0',
    backports: ['1.17.9', '1.18.6'],
    reference: '#92035',
    summary: 'In iptables mode, the mark for masquerading is removed before masquerading, so that it has no effect a second time.',
  },
  nodePortsOfFamily: {
    since: '1.19.0',
    summary:
      'In iptables mode, ranges of the other family in nodePortAddresses are ignored; before, they counted, and node ports had rules without an address.',
  },
  externalIPsLocal: {
    since: '1.19.0',
    reference: '#88786',
    feature: { name: 'ExternalPolicyForExternalIP' },
    summary: 'In iptables mode, externalTrafficPolicy applies to external IPs.',
  },
  rejectsForwarded: {
    since: '1.20.0',
    reference: '#95252',
    summary: 'In iptables mode, the chain KUBE-EXTERNAL-SERVICES checks forwarded packets, instead of KUBE-SERVICES incoming ones.',
  },
  ensuresMarkDrop: {
    since: '1.20.0',
    summary: 'In iptables mode, kube-proxy creates the chain KUBE-MARK-DROP if the kubelet has not.',
  },
  podsReachExternalIPs: {
    since: '1.21.0',
    reference: '#96296',
    summary:
      'In iptables mode, all traffic to an external IP goes to the Service; before, only traffic from outside or to the node itself.',
  },
  healthCheckRules: {
    since: '1.21.0',
    reference: '#97824',
    summary: 'In iptables mode, packets to health check node ports are accepted.',
  },
  masqueradeInChain: {
    since: '1.22.0',
    reference: '#96959',
    summary: 'In iptables mode, the chain of a Service masquerades its traffic; before, the chains that Services share did.',
  },
  unreadyChains: {
    since: '1.22.0',
    until: '1.23.0',
    untilBackports: ['1.22.4'],
    reference: '#97238',
    summary: 'In iptables mode, endpoints that are not ready have chains, and packets are not rejected if no endpoint is ready.',
  },
  endpointChainsFirst: {
    since: '1.23.0',
    backports: ['1.22.4'],
    reference: '#106030',
    summary: 'In iptables mode, endpoints have chains even if the chain of their port is empty because node ports are not served.',
  },
  chainsWithoutNodePorts: {
    since: '1.23.0',
    backports: ['1.21.13', '1.22.10'],
    summary: 'In iptables mode, a Service with node ports has chains of endpoints even if no address of the node is in nodePortAddresses.',
  },
  plainAddresses: {
    since: '1.23.0',
    summary: 'In iptables mode, addresses in rules have no prefix length.',
  },
  shortBalancingComments: {
    since: '1.23.0',
    reference: '#106269',
    summary: 'In iptables mode, comments of the rules for local endpoints are those of the other rules.',
  },
  oneReplyRule: {
    since: '1.23.0',
    summary: 'In iptables mode, one rule accepts forwarded replies; before, there were two equal rules.',
  },
  externalChains: {
    since: '1.24.0',
    reference: '#109060',
    summary: 'In iptables mode, the chains KUBE-EXT and KUBE-SVL serve external traffic; before, KUBE-XLB did.',
  },
  dropsInFilter: {
    since: '1.25.0',
    reference: '#110290',
    summary: 'In iptables mode, rules of the table filter drop packets if the policy is Local and only other nodes have endpoints.',
  },
  firewallInFilter: {
    since: '1.25.0',
    reference: '#110289',
    summary:
      'In iptables mode, the chain KUBE-PROXY-FIREWALL drops packets from outside the source ranges; before, KUBE-MARK-DROP marked them.',
  },
  localhostOption: {
    since: '1.26.0',
    reference: '#108250',
    summary:
      'In iptables mode, localhostNodePorts can be false; before, node ports were always served on loopback addresses, of IPv6 as well.',
  },
  firewallComment: {
    since: '1.27.0',
    reference: '#114470',
    summary: 'In iptables mode, the last rule of a chain that checks source ranges is a comment.',
  },
  localnetRule: {
    since: '1.27.0',
    reference: '#114470',
    summary: 'In iptables mode, kube-proxy writes the chain KUBE-FIREWALL; before, only the kubelet did.',
  },
  unusedNodePorts: {
    since: '1.27.0',
    reference: '#115256',
    summary: 'In iptables mode, node ports have rules even if no address of the node is in nodePortAddresses.',
  },
  alwaysRandomFully: {
    since: '1.37.0',
    reference: '#139247',
    summary: 'In the modes iptables and ipvs, masquerading uses random ports without checking the version of iptables.',
  },
};
