export { familyOf, type IPFamily, takesHostname, unprintable } from './address.ts';
export { countAddresses, fitCapacity, maxCapacity } from './capacity.ts';
export {
  type EligibilityRule,
  eligibilityRules,
  parseBool,
  publishesNotReady,
  type ShouldPodBeInEndpointsOptions,
  shouldPodBeInEndpoints,
  tolerateUnreadyAnnotation,
} from './eligibility.ts';
export { computeEndpoints, computeEndpointsFor } from './endpoints.ts';
export { canonicalIP, isIPv6 } from './ip.ts';
export { areLabelsRight, headlessLabel, isHeadless, labelsFor, overCapacityAnnotation, triggerTimeAnnotation } from './metadata.ts';
export { findPort } from './port.ts';
export { isPodReady, readyCondition } from './readiness.ts';
export {
  createReconciler,
  createReconcilerFor,
  type Plan,
  type PlanCode,
  type PlanReason,
  type ReconcileInput,
  type Reconciler,
} from './reconcile.ts';
export { matcherOf, selectPods, type UnmanagedCode, unmanagedBecause } from './select.ts';
export { createSelectorCache, type SelectorCache } from './selector-cache.ts';
export { type Settings, settingsFor, settingsUnder, type VersionOptions } from './settings.ts';
export { lesser, type Offer, pack, type RepackOptions, repackSubsets } from './subsets.ts';
export { compareText } from './text.ts';
export { readInstant } from './time.ts';
export { type ExclusionCode, type Inquiry, inquire, type Verdict } from './verdict.ts';
