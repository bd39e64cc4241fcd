/** The chains that all Services share. */
export const sharedChains = {
  services: 'KUBE-SERVICES',
  externalServices: 'KUBE-EXTERNAL-SERVICES',
  nodePorts: 'KUBE-NODEPORTS',
  proxyFirewall: 'KUBE-PROXY-FIREWALL',
  forward: 'KUBE-FORWARD',
  postrouting: 'KUBE-POSTROUTING',
  markMasquerade: 'KUBE-MARK-MASQ',
  /** The kubelet's, too. */
  kubeletFirewall: 'KUBE-FIREWALL',
} as const;

/** Those that ports of Services put rules into. Their order means nothing, but for the jumps to node ports, which come last. */
export const isUnordered = (chain: string): boolean =>
  chain === sharedChains.services ||
  chain === sharedChains.externalServices ||
  chain === sharedChains.nodePorts ||
  chain === sharedChains.proxyFirewall;
