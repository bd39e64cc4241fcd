export { compareReleases } from './compare.ts';
export type { PodExplanation, Problem, Reason, ReleaseComparison, ReleaseDifference, ServiceExplanation } from './explanation.ts';
export { explainEndpoints } from './pods.ts';
export { type ReasonCode, type ReasonRow, reasons, type Severity } from './reasons.ts';
export { type ExplainServiceOptions, explainService } from './service.ts';
