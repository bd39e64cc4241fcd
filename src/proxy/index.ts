/**
 * What a node's kube-proxy makes of Services and EndpointSlices, and the rules that it writes: those of Kubernetes 1.36.
 *
 * `createNodeView` is the node's view, `nftablesRules` its rules as data, `createProxier` both, kept in step with what changes.
 */
export { isInRanges } from './addresses.ts';
export type { NodeIdentity, TrafficPolicy } from './categorize.ts';
export { type EndpointVerdict, endpointVerdicts, explainEndpoint, proxyReason } from './categorize.ts';
export {
  createIptablesProgram,
  type DumpedChains,
  diffIptables,
  dumpIptables,
  formatIptables,
  formatIptablesTransaction,
  type IptablesChain,
  type IptablesFormat,
  type IptablesJump,
  type IptablesProgram,
  type IptablesRule,
  type IptablesRules,
  type IptablesTable,
  type IptablesTransaction,
  iptablesRules,
  isEmptyIptablesTransaction,
  type PlacedRule,
  type TableTransaction,
} from './iptables/index.ts';
export { diffNftables } from './nftables/diff.ts';
export { formatNftables, formatNftablesTransaction, listNftables } from './nftables/format.ts';
export type {
  BaseChain,
  ContainerFacts,
  NftablesChain,
  NftablesCommand,
  NftablesElement,
  NftablesMap,
  NftablesRule,
  NftablesRules,
  NftablesSet,
  NftablesTable,
  NftablesTransaction,
} from './nftables/model.ts';
export { createNftablesProgram, type NftablesProgram } from './nftables/program.ts';
export { nftablesRules } from './nftables/rules.ts';
export { createNodeView, type NodeViewOptions, type ServiceView } from './node-view.ts';
export type { ProxyNode, ProxyObjects, ProxyService } from './objects.ts';
export { isWatched, serviceProxyNameLabel } from './objects.ts';
export { createProxier, type Proxier, type ProxierOptions, type ProxyMode } from './proxier.ts';
export { type ProxyReasonCode, type ProxyReasonRow, proxyReasons } from './reasons.ts';
export { createViewTracker, type ServiceViewChange, type TrackedObjects, type ViewTracker, type ViewTrackerOptions } from './tracker.ts';
export type { EndpointView, HintsFollowed, NodeView, ServicePortView } from './view.ts';
