/** The stateless stages from a Service and Pods to Endpoints and EndpointSlices. Internal index of this repository. */
export { createPodTargetRefBuilder, familyOf, type IPFamily, shouldSetHostname, unparsedIP } from './address.ts';
export { countAddresses, fitCapacity, maxCapacity } from './capacity.ts';
export { type Agreement, type CheckAgreementOptions, checkAgreement } from './consumers/agreement.ts';
export {
  type Difference,
  type DifferenceCode,
  type Disregarded,
  type DisregardedCode,
  differenceMessages,
  disregardedMessages,
} from './consumers/agreement-codes.ts';
export { type EndpointsFromSlicesOptions, endpointsFromSlices } from './consumers/convert.ts';
export { type SlicesFromEndpointsOptions, slicesFromEndpoints } from './consumers/convert-endpoints.ts';
export { type MergedPort, type MergedPortless, type MergedService, type MergedSlices, mergeSlices } from './consumers/merge.ts';
export { type MergeProblem, type MergeProblemCode, problemMessages } from './consumers/merge-collect.ts';
export type { MergedEndpoint, SliceAddressType } from './consumers/merge-endpoint.ts';
export {
  createEligibilityCheck,
  type EligibilityRule,
  eligibilityRules,
  isPodEligible,
  isPodReady,
  type PodEligibilityOptions,
  parseBool,
  publishesNotReady,
  readyCondition,
  type ShouldPodBeInEndpointsOptions,
  shouldPodBeInEndpoints,
  tolerateUnreadyAnnotation,
} from './eligibility.ts';
export { computeEndpoints, computeEndpointsFor } from './endpoints.ts';
export {
  areLabelsCorrect,
  headlessLabel,
  isHeadless,
  labelsFor,
  mutateLabels,
  overCapacityAnnotation,
  triggerTimeAnnotation,
} from './metadata.ts';
export { computeMirrorFigures, type MirrorFigures } from './mirroring/figures.ts';
export { findUnmirroredCode, type MirrorInput, type MirrorOptions, mirrorEndpoints, shouldMirror } from './mirroring/mirror.ts';
export { isMirroredSlice } from './mirroring/slice.ts';
export type { Plan, PlanCode, PlanReason } from './plan.ts';
export { findPort } from './port.ts';
export { createLabelMatcher, selectPods, type UnmanagedCode, unmanagedCodeOf } from './select.ts';
export {
  resolveEndpointLimit,
  type Settings,
  settingsFor,
  settingsForProfile,
  type TargetRefBuilder,
  type VersionOptions,
} from './settings.ts';
export {
  addressesOf,
  addressTypesOf,
  createSlicePodEvaluator,
  hostnameLabel,
  type MissingNode,
  type PodOutcome,
  zoneLabel,
} from './slices/desired.ts';
export {
  type HintsCode,
  type HintsIntent,
  type HintsMode,
  hintsIntent,
  topologyHintsAnnotation,
  topologyModeAnnotation,
} from './slices/hints/intent.ts';
export { managedByLabel as sliceManagedByLabel, mirroringController, serviceNameLabel, sliceController } from './slices/metadata.ts';
export type { SliceEvent, SlicePlan, SlicePlanCode, SliceReason, SliceReference } from './slices/plan.ts';
export { messages as slicePlanMessages } from './slices/plan.ts';
export { serveSlice } from './slices/serve.ts';
export { type ComputeSlicesOptions, computeEndpointSlices, type SliceOptions } from './slices/slices.ts';
export { chooseLesser, type Offer, pack, type RepackOptions, repackSubsets } from './subsets.ts';
export { parseInstant } from './time.ts';
export { createPodEvaluator, type ExclusionCode, type PodEvaluator, type Verdict } from './verdict.ts';
