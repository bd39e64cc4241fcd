export { reasons } from './all-reasons.ts';
export type { LoadBalancing, Readiness } from './cause-reasons.ts';
export { compareReleases } from './compare.ts';
export { compareSliceReleases } from './compare-slices.ts';
export { createServiceDiagnoser, type Diagnosis, diagnoseService } from './diagnosis.ts';
export type { DiagnosisObjects } from './diagnosis-objects.ts';
export type {
  PodExplanation,
  Problem,
  Reason,
  ReleaseComparison,
  ServiceExplanation,
  SliceReleaseComparison,
  SlicesExplanation,
} from './explanation.ts';
export type { ReasonCode } from './reasons.ts';
export { type ExplainServiceOptions, explainService } from './service.ts';
export type { Workload } from './workload.ts';
