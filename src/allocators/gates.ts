import { createGateLookup } from '../versions/profile.ts';

/** Behaviour of the allocators that differs between releases. */
export type AllocatorGateName =
  | 'lastIPv6AddressUsable'
  | 'sharedNodePortCountedOnce'
  | 'clusterIPsListed'
  | 'dualStackServices'
  | 'nodePortsOptional'
  | 'outOfRangeErrorNamesIP'
  | 'staticBandOfIPs'
  | 'staticBandOfNodePorts'
  | 'addressesAreObjects'
  | 'badValuesAsJSON'
  | 'clusterIPsStrict'
  | 'fullRangeErrorNamesService';

/** A change between releases; `since` is the first release that has it on by default. */
export interface AllocatorGate {
  readonly since: string;
  readonly summary: string;
}

export const allocatorGates: Readonly<Record<AllocatorGateName, AllocatorGate>> = {
  lastIPv6AddressUsable: { since: '1.19.0', summary: 'The last address of an IPv6 range can be allocated.' },
  sharedNodePortCountedOnce: {
    since: '1.19.0',
    summary: 'For the repair, a node port that one Service uses for several protocols is one allocation, not a duplicate.',
  },
  clusterIPsListed: { since: '1.20.0', summary: 'spec.clusterIPs lists the cluster IP.' },
  dualStackServices: { since: '1.21.0', summary: 'Services have ipFamilies, ipFamilyPolicy and up to two cluster IPs.' },
  nodePortsOptional: { since: '1.22.0', summary: 'A LoadBalancer Service with allocateLoadBalancerNodePorts: false gets no node ports.' },
  outOfRangeErrorNamesIP: { since: '1.23.0', summary: 'The error for an address outside the range contains the address.' },
  staticBandOfIPs: { since: '1.25.0', summary: 'The lower band of a range is used for dynamic allocation only if the rest is full.' },
  staticBandOfNodePorts: {
    since: '1.28.0',
    summary: 'The lower band of node ports is used for dynamic allocation only if the rest is full.',
  },
  addressesAreObjects: {
    since: '1.33.0',
    summary: 'Cluster IPs are stored as IPAddress objects in the ranges of ServiceCIDRs, not as bitmaps.',
  },
  badValuesAsJSON: { since: '1.34.0', summary: 'Field errors print lists and objects as JSON.' },
  clusterIPsStrict: { since: '1.36.0', summary: 'New cluster IPs must not have leading zeros or be IPv4-mapped.' },
  fullRangeErrorNamesService: { since: '1.36.0', summary: 'The error for a full range of cluster IPs names the Service.' },
};

/** Each allocator gate, on or off in a release. */
export type AllocatorSettings = Readonly<Record<AllocatorGateName, boolean>>;

export interface AllocatorVersion {
  /** "1.17" to "1.37" or a patch release; default: the newest. */
  readonly version?: string;
}

/**
 * The gates of a release.
 * @throws RangeError naming the accepted range
 */
export const allocatorSettings: (version: string) => AllocatorSettings = /* @__PURE__ */ createGateLookup(allocatorGates, 17);
