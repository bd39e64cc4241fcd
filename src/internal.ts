/** Internals that the other packages of this repository share. Not covered by semantic versioning: they pin this exact version. */
export {
  type CIDR,
  canonicalIP,
  compareByName,
  compareText,
  createDeque,
  createKeyedMutex,
  createRequirementsMatcher,
  type Deque,
  dns1123Label,
  dns1123Subdomain,
  escapeText,
  fitsInt64,
  hasLeadingZeros,
  type IP,
  ipBits,
  ipv4Number,
  isDNS1123Label,
  isDNS1123Subdomain,
  isIPv4Mapped,
  isIPv6,
  isLabelOfAnyLength,
  isLongerThan,
  isPrintable,
  isQuantity,
  isSubdomainOfAnyLength,
  type KeyedMutex,
  type LabelOperator,
  type LabelRequirement,
  type Labels,
  messageOf,
  metaNamespaceKey,
  milliValue,
  type Named,
  namedEscapes,
  nameOf,
  namespaceOf,
  objectKey,
  parseAddr,
  parseCIDR,
  parseCIDRSloppy,
  parseDuration,
  parseIP,
  parseLabelSelector,
  parseQuantity,
  plainCopy,
  printIP,
  printQuantity,
  problemsOfLabelKey,
  problemsOfLabelValue,
  type QuantityText,
  quote,
  readCanonicalIP,
  requireWholeNumber,
  safeObserver,
  scanQuantity,
  splitMetaNamespaceKey,
  strictIP,
  withoutSecrets,
  zeroQuantity,
} from './apimachinery/index.ts';
export type { DnsRcode, Resolver } from './dns/answer.ts';
export type { ZoneObjects } from './dns/cluster-zone.ts';
export { dnsProfile } from './dns/gates.ts';
export type { DnsNamespace, DnsService } from './dns/objects.ts';
export { reverseName } from './dns/reverse.ts';
export type { PodMode } from './dns/settings.ts';
export type { HintsExplanation, PodSlicesExplanation, SliceMembership } from './explain/explanation.ts';
export { createMirrorFor, createReconcilerFor, requireMinIndexedPods } from './incremental/index.ts';
export { isCloudError } from './load-balancer/cloud.ts';
export { SyncError } from './load-balancer/failures.ts';
export type { BalancedPort, LoadBalancerIngress } from './load-balancer/objects.ts';
export type { Effect, EventEffect, ServiceChange, Steps } from './load-balancer/planner.ts';
export { cleanupFinalizer, hasCleanupFinalizer } from './load-balancer/wants.ts';
export { apiVersionOf, type PropagationPolicy, type Reader, type ResourceVersionMatch, type Selection, type Watcher } from './port/port.ts';
export type { StatusCause } from './port/status.ts';
export { dumpIptables } from './proxy/iptables/format.ts';
export { listNftables } from './proxy/nftables/format.ts';
export type { ProxyReasonCode } from './proxy/reasons.ts';
export type { TrackedObjects } from './proxy/tracker.ts';
export {
  createLabelMatcher,
  endpointLimitFrom,
  hintsIntent,
  isPodReady,
  mirroringController,
  podTargetRefBuilder,
  readInstant,
  readyCondition,
  type Settings,
  type SliceAddressType,
  serviceNameLabel,
  settingsFor,
  settingsForProfile,
  sliceController,
  sliceManagedByLabel,
  type TargetRefBuilder,
  tolerateUnreadyAnnotation,
  topologyHintsAnnotation,
  topologyModeAnnotation,
  triggerTimeAnnotation,
  unmanagedCodeOf,
  zoneLabel,
} from './spec/index.ts';
export { candidatesOf, resolverOf } from './trace/name/resolver.ts';
export type { TracePod, TraceService } from './trace/objects.ts';
export { podPath } from './trace/origin.ts';
export { formatCount } from './trace/reasons.ts';
export { createSliceMaker } from './trace/slice-maker.ts';
export type {
  ContainerPort,
  ContainerState,
  EndpointConditionsInput,
  EndpointHintsInput,
  EndpointsMeta,
  PodIP,
  Probe,
  SlicePortInput,
  StringMap,
} from './types/index.ts';
export { endpointsGates, mirroringGates, type Stage, slicesGates } from './versions/gates.ts';
export { parseRelease } from './versions/releases.ts';
