import type { ProxyGate } from './gate.ts';

/** Changes of the rules of the mode ipvs. */
export type IpvsGateName =
  | 'sourceRangesInFilter'
  | 'hostPortsHidden'
  | 'loopbackSourcesReturn'
  | 'clientPortHashed'
  | 'healthChecksReturn'
  | 'nodeAddressesKept'
  | 'nodeSourcesDropped'
  | 'localExternalIPsReturn';

/** Changes of the rules of the mode ipvs, sorted by release. */
export const ipvsGates: Readonly<Record<IpvsGateName, ProxyGate>> = {
  sourceRangesInFilter: {
    since: '1.25.0',
    reference: '#110628',
    summary: 'In ipvs mode, the table filter drops packets from outside the source ranges; before, KUBE-MARK-DROP marked them.',
  },
  hostPortsHidden: {
    since: '1.26.0',
    reference: '#108460',
    summary:
      'In ipvs mode, connections to other ports of the addresses of Services are rejected; before, they reached programs of the node.',
  },
  loopbackSourcesReturn: {
    since: '1.26.0',
    reference: '#112950',
    summary: 'In ipvs mode, packets from loopback addresses skip the rules of Services.',
  },
  clientPortHashed: {
    since: '1.27.0',
    reference: '#115527',
    summary: "In ipvs mode, the scheduler mh also hashes the client's port.",
  },
  healthChecksReturn: {
    since: '1.28.0',
    backports: ['1.26.5', '1.27.2'],
    reference: '#117723',
    summary: 'In ipvs mode, the port of the health check is reachable at the addresses of Services; from 1.26.0 on, it was not.',
  },
  nodeAddressesKept: {
    since: '1.28.0',
    backports: ['1.27.2'],
    reference: '#115019',
    summary: 'In ipvs mode, kube-ipvs0 does not get an address that another interface has.',
  },
  nodeSourcesDropped: {
    since: '1.29.0',
    reference: '#119791',
    summary: 'In ipvs mode, source ranges that do not contain the address of the node also apply to the node itself.',
  },
  localExternalIPsReturn: {
    since: '1.30.0',
    backports: ['1.28.6', '1.29.1'],
    reference: '#121919',
    summary: 'In ipvs mode, external IPs under the policy Local are reachable; from 1.26.0 on, connections to them were rejected.',
  },
};
