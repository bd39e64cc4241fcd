import type { ApiObject } from 'kube-endpoints/port';
import type { Taint } from '../../nodes/taints.ts';

/** The fields of nodes and leases that the node lifecycle controller reads; all others pass through unchanged. */
export interface Node extends ApiObject {
  readonly spec?: { readonly unschedulable?: boolean; readonly taints?: readonly Taint[] };
  readonly status?: NodeStatus;
}

export interface NodeStatus {
  readonly conditions?: readonly NodeCondition[];
  readonly [field: string]: unknown;
}

export interface NodeCondition {
  readonly type: string;
  /** "True", "False" or "Unknown". */
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastHeartbeatTime?: string;
  readonly lastTransitionTime?: string;
}

export interface Lease extends ApiObject {
  readonly spec?: { readonly renewTime?: string };
}

/** The namespace of the Leases that kubelets renew. */
export const leaseNamespace = 'kube-node-lease';

export const findCondition = (status: NodeStatus | undefined, type: string): NodeCondition | undefined =>
  status?.conditions?.find((condition) => condition.type === type);

export const nameOf = ({ metadata }: ApiObject): string => metadata.name ?? '';

/** The zone that a node belongs to: GetZoneKey (1.36, component-helpers/node/topology). */
export function zoneOf({ metadata: { labels = {} } }: Node): string {
  const zone = labels['failure-domain.beta.kubernetes.io/zone'] ?? labels['topology.kubernetes.io/zone'] ?? '';
  const region = labels['failure-domain.beta.kubernetes.io/region'] ?? labels['topology.kubernetes.io/region'] ?? '';
  return region === '' && zone === '' ? '' : `${region}:\0:${zone}`;
}
