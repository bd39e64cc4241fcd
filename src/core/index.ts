export { type AddressKey, compareAddresses } from './order.ts';
export { type EligibilityRule, eligibilityRules, publishesNotReady, type ShouldPodBeInEndpointsOptions, shouldPodBeInEndpoints } from './eligibility.ts';
export { computeEndpoints } from './endpoints.ts';
export { canonicalIP, isIPv6 } from './ip.ts';
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
export { unmanagedBecause, type UnmanagedCode } from './select.ts';
export { repackSubsets, type VersionOptions } from './subsets.ts';
export { type ExclusionCode, inquire, type Inquiry, type Verdict } from './verdict.ts';
