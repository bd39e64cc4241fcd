import { namespaceOf, objectKey } from '../apimachinery/index.ts';
import type { Pod } from '../types/index.ts';
import { evaluateTraffic } from './evaluate.ts';
import type { NetworkPolicy, PolicyObjects, PolicyReference } from './objects.ts';

/**
 * Lists the NetworkPolicies that deny all ingress to a port of a pod, whatever the client, except from the node of the pod; empty if a rule
 * may allow some. Also empty if there are cluster-wide policies, because these can allow traffic first.
 * @throws RangeError for an invalid port, protocol or policy
 */
export function findDenyingPolicies(pod: Pod, port: number, protocol: string, objects: PolicyObjects): readonly PolicyReference[] {
  const { clusterNetworkPolicies = [], adminNetworkPolicies = [], baselineAdminNetworkPolicies = [], networkPolicies = [] } = objects;
  if ([...clusterNetworkPolicies, ...adminNetworkPolicies, ...baselineAdminNetworkPolicies].length > 0) return [];
  const policies = [...networkPolicies].filter((policy) => namespaceOf(policy) === namespaceOf(pod));
  if (policies.length === 0) return [];
  const traffic = { from: { ip: anyClient }, to: { pod: objectKey(pod) }, port, protocol };
  const { ingress } = evaluateTraffic(traffic, { pods: [pod], networkPolicies: policies.map(withAnyPeer) });
  return ingress.allowed === false ? ingress.policies : [];
}

/** An address for documentation (RFC 5737), which no policy has to name: without peers, a rule allows every client. */
const anyClient = '192.0.2.1';

const withAnyPeer = (policy: NetworkPolicy): NetworkPolicy => ({
  ...policy,
  spec: { ...policy.spec, ingress: (policy.spec?.ingress ?? []).map(({ ports }) => ({ ports })) },
});
