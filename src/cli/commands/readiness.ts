import type { Readiness } from '../../explain/index.ts';
import { explainReadiness } from '../../readiness/index.ts';

/** Goes down from a pod that is not ready to what keeps it from being so. */
export const readinessIn =
  (version: string): Readiness =>
  (pod) =>
    explainReadiness(pod, { version }).causes;
