import type { IPFamily } from '../../apimachinery/index.ts';
import type { IptablesRules } from '../iptables/model.ts';

/** Everything that kube-proxy's ipvs mode writes for one address family. */
export interface IpvsRules {
  readonly family: IPFamily;
  /** The addresses of the dummy interface kube-ipvs0, sorted. */
  readonly addresses: readonly string[];
  /** Sorted by protocol, address and port. */
  readonly virtualServers: readonly VirtualServer[];
  /** All 17 sets, in the order of `setTypes`; a set may be empty. */
  readonly sets: readonly IpSet[];
  /** The rules that match the sets: they masquerade, restrict the sources of load balancers and protect the node's other ports. */
  readonly iptables: IptablesRules;
}

/** An address and port that ipvs balances. */
export interface VirtualServer {
  readonly protocol: 'TCP' | 'UDP' | 'SCTP';
  readonly address: string;
  readonly port: number;
  /** "rr" */
  readonly scheduler: string;
  /** The scheduler hashes the client's port as well as its address. */
  readonly hashesClientPort?: true;
  /** For how long connections of a client go to the same real server; absent without session affinity. */
  readonly persistenceSeconds?: number;
  /** Sorted by address and port; empty if connections are refused. */
  readonly realServers: readonly RealServer[];
}

/** An endpoint that a virtual server forwards to. kube-proxy gives each the weight 1. */
export interface RealServer {
  readonly address: string;
  readonly port: number;
}

export interface IpSet {
  /** "KUBE-CLUSTER-IP", or "KUBE-6-CLUSTER-IP" for IPv6. */
  readonly name: string;
  readonly type: IpSetType;
  /** In the syntax of `ipset add`, sorted: "10.96.0.1,tcp:80". */
  readonly entries: readonly string[];
}

export type IpSetType = 'hash:ip' | 'hash:ip,port' | 'hash:ip,port,ip' | 'hash:ip,port,net' | 'bitmap:port';

/** The name of a set for IPv4, without "KUBE-". */
export type SetName =
  | 'LOOP-BACK'
  | 'CLUSTER-IP'
  | 'EXTERNAL-IP'
  | 'EXTERNAL-IP-LOCAL'
  | 'LOAD-BALANCER'
  | 'LOAD-BALANCER-FW'
  | 'LOAD-BALANCER-LOCAL'
  | 'LOAD-BALANCER-SOURCE-IP'
  | 'LOAD-BALANCER-SOURCE-CIDR'
  | 'NODE-PORT-TCP'
  | 'NODE-PORT-LOCAL-TCP'
  | 'NODE-PORT-UDP'
  | 'NODE-PORT-LOCAL-UDP'
  | 'NODE-PORT-SCTP-HASH'
  | 'NODE-PORT-LOCAL-SCTP-HASH'
  | 'HEALTH-CHECK-NODE-PORT'
  | 'IPVS-IPS';

/** The sets that kube-proxy creates. Mirrors ipsetInfo (1.36, pkg/proxy/ipvs/proxier.go). */
export const setTypes: Readonly<Record<SetName, IpSetType>> = {
  'LOOP-BACK': 'hash:ip,port,ip',
  'CLUSTER-IP': 'hash:ip,port',
  'EXTERNAL-IP': 'hash:ip,port',
  'EXTERNAL-IP-LOCAL': 'hash:ip,port',
  'LOAD-BALANCER': 'hash:ip,port',
  'LOAD-BALANCER-FW': 'hash:ip,port',
  'LOAD-BALANCER-LOCAL': 'hash:ip,port',
  'LOAD-BALANCER-SOURCE-IP': 'hash:ip,port,ip',
  'LOAD-BALANCER-SOURCE-CIDR': 'hash:ip,port,net',
  'NODE-PORT-TCP': 'bitmap:port',
  'NODE-PORT-LOCAL-TCP': 'bitmap:port',
  'NODE-PORT-UDP': 'bitmap:port',
  'NODE-PORT-LOCAL-UDP': 'bitmap:port',
  'NODE-PORT-SCTP-HASH': 'hash:ip,port',
  'NODE-PORT-LOCAL-SCTP-HASH': 'hash:ip,port',
  'HEALTH-CHECK-NODE-PORT': 'bitmap:port',
  'IPVS-IPS': 'hash:ip',
};

/** The name of a set in the kernel, at most 31 characters. Mirrors NewIPSet (1.36, pkg/proxy/ipvs/ipset.go). */
export const nameOfSet = (name: SetName, family: IPFamily): string =>
  family === 'IPv6' ? `KUBE-6-${name}`.slice(0, maxNameLength) : `KUBE-${name}`;

const maxNameLength = 31;
