/**
 * Which traffic NetworkPolicies (networking.k8s.io/v1) and cluster-wide policies (policy.networking.k8s.io/v1alpha2 and v1alpha1) allow.
 *
 * `evaluateTraffic` decides about a connection, and says which rule decides, or what the specifications leave open.
 */
export { findDenyingPolicies } from './denial.ts';
export { evaluateTraffic, type Traffic, type TrafficDecision, type TrafficVerdict } from './evaluate.ts';
export type { AdminNetworkPolicy, ClusterNetworkPolicy, NetworkPolicy, PolicyObjects } from './objects.ts';
export { findPolicyProblems, type PolicyProblem } from './problems.ts';
export { type PolicyReason, policyReasons } from './reasons.ts';
