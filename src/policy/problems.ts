import { nameOf, namespaceOf } from '../apimachinery/index.ts';
import type { Report } from './checks.ts';
import type { AdminNetworkPolicy, ClusterNetworkPolicy, NetworkPolicy, PolicyKind, PolicyObjects, PolicyReference } from './objects.ts';
import { checkClusterPolicy, checkNetworkPolicy } from './validate.ts';

/** A part of a policy that an API server does not accept. */
export interface PolicyProblem {
  readonly policy: PolicyReference;
  /** For example "spec.ingress[0].from[1].ipBlock.cidr". */
  readonly path: string;
  /** The value and what is accepted, without a subject: 'is "a", but has to be a CIDR'. */
  readonly message: string;
}

/**
 * Finds what an API server does not accept in policies, in their order. `evaluateTraffic` throws for the first one.
 *
 * Mirrors ValidateNetworkPolicySpec (1.37, pkg/apis/networking/validation), and the schemas of policy.networking.k8s.io.
 */
export function findPolicyProblems(objects: PolicyObjects): PolicyProblem[] {
  const problems: PolicyProblem[] = [];
  for (const [list, kind] of lists) {
    for (const object of objects[list] ?? []) {
      const namespace = kind === 'NetworkPolicy' ? { namespace: namespaceOf(object) } : {};
      const policy = { kind, ...namespace, name: nameOf(object) };
      const report: Report = (path, message) => problems.push({ policy, path, message });
      if (kind === 'NetworkPolicy') checkNetworkPolicy(object as NetworkPolicy, report);
      else checkClusterPolicy(kind, object as ClusterNetworkPolicy & AdminNetworkPolicy, report);
    }
  }
  return problems;
}

const lists: readonly (readonly [
  'networkPolicies' | 'clusterNetworkPolicies' | 'adminNetworkPolicies' | 'baselineAdminNetworkPolicies',
  PolicyKind,
])[] = [
  ['networkPolicies', 'NetworkPolicy'],
  ['clusterNetworkPolicies', 'ClusterNetworkPolicy'],
  ['adminNetworkPolicies', 'AdminNetworkPolicy'],
  ['baselineAdminNetworkPolicies', 'BaselineAdminNetworkPolicy'],
];
