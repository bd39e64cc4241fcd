import type { ProxyGate } from './gate.ts';

/** Changes of the rules of the mode iptables. */
export type IptablesGateName =
  | 'dropsInFilter'
  | 'firewallInFilter'
  | 'localhostOption'
  | 'firewallComment'
  | 'localnetRule'
  | 'unusedNodePorts'
  | 'alwaysRandomFully';

/** Changes of the rules of the mode iptables, sorted by release. */
export const iptablesGates: Readonly<Record<IptablesGateName, ProxyGate>> = {
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
