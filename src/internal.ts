/** Internals that the other packages of this repository share. Not covered by semantic versioning: those packages pin this exact version. */
export type { DnsRcode, Resolver } from './dns/answer.ts';
export type { ZoneObjects } from './dns/cluster-zone.ts';
export { dnsProfile } from './dns/gates.ts';
export type { DnsNamespace, DnsService } from './dns/objects.ts';
export { reverseName } from './dns/reverse.ts';
export type { PodMode } from './dns/settings.ts';
export type { HintsExplanation, PodSlicesExplanation, SliceMembership } from './explain/explanation.ts';
export { isOwned, templateOf } from './explain/workload.ts';
export { createMirrorFor, createReconcilerFor, requireMinIndexedPods } from './incremental/index.ts';
export { isCloudError } from './load-balancer/cloud.ts';
export { SyncError } from './load-balancer/failures.ts';
export type { BalancedPort, LoadBalancerIngress } from './load-balancer/objects.ts';
export { type Effect, type EventEffect, type ServiceChange, type Steps, statusAttempts } from './load-balancer/planner.ts';
export { cleanupFinalizer, hasCleanupFinalizer } from './load-balancer/wants.ts';
export type { Reader, Watcher } from './port/port.ts';
export { firstProxyMinor, type ProxyGates, proxyGatesFor } from './proxy/gates.ts';
export { dumpIptables } from './proxy/iptables/format.ts';
export { listNftables } from './proxy/nftables/format.ts';
export type { ProxyReasonCode } from './proxy/reasons.ts';
export type { TrackedObjects } from './proxy/tracker.ts';
export { isOwnedByKubelet } from './readiness/merge.ts';
export { findRestartRule, isRestarted, isSidecar, isTerminalPhase } from './readiness/statuses.ts';
export {
  computeMirrorFigures,
  createLabelMatcher,
  createPodTargetRefBuilder,
  findUnmirroredCode,
  hintsIntent,
  isMirroredSlice,
  isPodReady,
  type MirrorFigures,
  mirroringController,
  parseInstant,
  readyCondition,
  resolveEndpointLimit,
  type Settings,
  type SliceAddressType,
  serveSlice,
  serviceNameLabel,
  settingsFor,
  settingsForProfile,
  shouldMirror,
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
export { parsePodPath } from './trace/origin.ts';
export { embedJSON, type Markup, markup } from './trace/page/markup.ts';
export { drawingStyle, frameStyle, theme } from './trace/page/style.ts';
export { renderStandaloneSign } from './trace/page/words.ts';
export { hidePlaceholders } from './trace/placeholders.ts';
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
export { changeableFeatures, checkFeatureGates, isOnByDefault } from './versions/features.ts';
export { endpointsGates, hintsGates, mirroringGates, type Stage, slicesGates } from './versions/gates.ts';
export { lastMinor, parseRelease } from './versions/releases.ts';
