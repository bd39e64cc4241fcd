export type { LoadBalancing, Readiness } from './cause-reasons.ts';
export { compareReleases } from './compare.ts';
export { compareSliceReleases } from './compare-slices.ts';
export type { Problem, ReleaseComparison, ServiceExplanation, SliceReleaseComparison } from './explanation.ts';
export { type ReasonCode, reasons } from './reasons.ts';
export { type ExplainServiceOptions, explainService } from './service.ts';
