import type { Readiness } from 'kube-endpoints/explain';
import { explainReadiness } from 'kube-endpoints/readiness';

/** Goes down from a pod that is not ready to what keeps it from being so. */
export const readinessIn =
  (version: string): Readiness =>
  (pod) =>
    explainReadiness(pod, { version }).causes;
