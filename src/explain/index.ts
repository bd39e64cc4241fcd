export { compareReleases } from './compare.ts';
export type { PodExplanation, Problem, Reason, ReleaseComparison, ReleaseDifference, ServiceExplanation, Severity } from './explanation.ts';
export { explainEndpoints } from './pods.ts';
export { type ReasonCode, reasons } from './reasons.ts';
export { type ExplainServiceOptions, explainService } from './service.ts';
