/**
 * The rules that a node's kube-proxy (Kubernetes 1.17 to 1.37) writes for Services and EndpointSlices.
 *
 * `createNodeView` computes the node's view, `nftablesRules` its rules as data; `createProxier` updates both as objects change.
 */
export { type EndpointVerdict, endpointVerdicts, proxyReason } from './categorize.ts';
export { compareProxies, type ProxyComparison } from './compare.ts';
export { proxyGates } from './gates.ts';
export { diffIptables } from './iptables/diff.ts';
export { formatIptables, formatIptablesTransaction } from './iptables/format.ts';
export type { IptablesRules, IptablesTransaction } from './iptables/model.ts';
export { createIptablesProgram } from './iptables/program.ts';
export { iptablesRules } from './iptables/rules.ts';
export { formatDummyAddresses, formatIpSets, formatVirtualServers } from './ipvs/format.ts';
export type { IpvsRules } from './ipvs/model.ts';
export { ipvsRules } from './ipvs/rules.ts';
export { diffNftables } from './nftables/diff.ts';
export { formatNftables, formatNftablesTransaction } from './nftables/format.ts';
export type { NftablesRules, NftablesTransaction } from './nftables/model.ts';
export { nftablesRules } from './nftables/rules.ts';
export { createNodeView } from './node-view.ts';
export { isWatched, type ProxyNode, type ProxyObjects, type ProxyService } from './objects.ts';
export { createProxier, type Proxier } from './proxier.ts';
export { proxyReasons } from './reasons.ts';
export type { EndpointView, NodeView, ServicePortView } from './view.ts';
