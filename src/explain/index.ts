export type { LoadBalancing, Readiness } from './cause-reasons.ts';
export { compareReleases } from './compare.ts';
export { type CompareSliceReleasesOptions, compareSliceReleases } from './compare-slices.ts';
export type {
  HintsExplanation,
  PodExplanation,
  PodSlicesExplanation,
  Problem,
  Reason,
  ReleaseComparison,
  ReleaseDifference,
  ServiceExplanation,
  SliceMembership,
  SliceReleaseComparison,
  SliceReleaseDifference,
  SlicesExplanation,
} from './explanation.ts';
export type { ExplainEndpointsOptions } from './pods.ts';
export { type ReasonCode, type ReasonRow, reasons, type Severity } from './reasons.ts';
export { type ExplainServiceOptions, explainService } from './service.ts';
export type { HintsReasonCode, SliceReasonCode } from './slice-reasons.ts';
