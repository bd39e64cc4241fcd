/** The public core of kube-endpoints: pure functions over Services and Pods, exact for each Kubernetes release. */
export {
  computeEndpoints,
  createReconciler,
  createSelectorCache,
  type Plan,
  type PlanCode,
  type PlanReason,
  type ReconcileInput,
  type Reconciler,
  type RepackOptions,
  repackSubsets,
  type SelectorCache,
  type ShouldPodBeInEndpointsOptions,
  shouldPodBeInEndpoints,
  type VersionOptions,
} from './core/index.ts';
export { explainEndpoints, type PodExplanation, type Reason } from './explain/index.ts';
export type { EndpointSubset, Endpoints, EndpointsInput, Pod, Service } from './types/index.ts';
