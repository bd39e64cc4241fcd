// The topology has two nodes and a client on one network. Each pod is behind its node, and each node is in its own zone.

export type Family = 'IPv4' | 'IPv6';
/** One address per IP family. */
export type Addresses = Readonly<Record<Family, string>>;

export const families: readonly Family[] = ['IPv4', 'IPv6'];

export interface TopologyNode {
  readonly name: string;
  readonly zone: string;
  readonly address: Addresses;
}

export interface TopologyPod {
  readonly name: string;
  readonly node: string;
  readonly address: Addresses;
}

export const topologyNodes: readonly TopologyNode[] = [
  { name: 'a', zone: 'east', address: { IPv4: '192.168.0.1', IPv6: 'fd00:1::1' } },
  { name: 'b', zone: 'west', address: { IPv4: '192.168.0.2', IPv6: 'fd00:1::2' } },
];

export const topologyPods: readonly TopologyPod[] = [
  ...['a1', 'a2', 'a3'].map((name, i) => ({ name, node: 'a', address: { IPv4: `10.1.1.${i + 11}`, IPv6: `fd00:10:1::${i + 11}` } })),
  ...['b1', 'b2'].map((name, i) => ({ name, node: 'b', address: { IPv4: `10.1.2.${i + 11}`, IPv6: `fd00:10:2::${i + 11}` } })),
];

/** The client's addresses. Source ranges of Services contain only the first one. */
export const clientAddresses: readonly Addresses[] = Array.from({ length: 24 }, (_, i) => ({
  IPv4: `192.168.0.${100 + i}`,
  IPv6: `fd00:1::${100 + i}`,
}));

/** The pod CIDRs, the service CIDRs, and the external addresses (`outside`), which the network routes to node a. */
export const networks: { readonly pods: Addresses; readonly services: Addresses; readonly outside: Addresses } = {
  pods: { IPv4: '10.1.0.0/16', IPv6: 'fd00:10::/44' },
  services: { IPv4: '10.96.0.0/16', IPv6: 'fd00:96::/112' },
  outside: { IPv4: '203.0.113.0/24', IPv6: '2001:db8:1::/64' },
};

export const podNetworkOf: Readonly<Record<string, Addresses>> = {
  a: { IPv4: '10.1.1.0/24', IPv6: 'fd00:10:1::/64' },
  b: { IPv4: '10.1.2.0/24', IPv6: 'fd00:10:2::/64' },
};
