/** Why an endpoint gets traffic of a port under a policy, or why not. */
export type ProxyReasonCode =
  | 'Ready'
  | 'TerminatingFallback'
  | 'PolicyNotUsed'
  | 'OtherTopology'
  | 'NotLocal'
  | 'NotReady'
  | 'Terminating'
  | 'TerminatingNotServing'
  | 'HintsOtherNode'
  | 'HintsOtherZone';

export interface ProxyReasonRow {
  readonly code: ProxyReasonCode;
  /** Whether the endpoint gets traffic. */
  readonly used: boolean;
  /** A sentence that begins with a verb; its subject is the endpoint. */
  readonly sentence: string;
  /** How to change it, if possible. */
  readonly remedy?: string;
}

/** All reasons, in the order in which they are checked. */
export const proxyReasons: readonly ProxyReasonRow[] = [
  { code: 'PolicyNotUsed', used: false, sentence: 'is not considered: no traffic of this port uses this policy' },
  {
    code: 'NotLocal',
    used: false,
    sentence: 'is not on this node, and the traffic policy is Local',
    remedy: 'run a pod on this node, or set the traffic policy to Cluster',
  },
  { code: 'Ready', used: true, sentence: 'is ready' },
  { code: 'TerminatingFallback', used: true, sentence: 'is terminating but still serving, and no endpoint is ready' },
  {
    code: 'TerminatingNotServing',
    used: false,
    sentence: 'is terminating and no longer serving',
    remedy: 'nothing: the pod is terminating; make another pod ready',
  },
  {
    code: 'Terminating',
    used: false,
    sentence: 'is terminating, and other endpoints are ready',
    remedy: 'nothing: the pod is terminating, and other endpoints serve',
  },
  {
    code: 'NotReady',
    used: false,
    sentence: 'is not ready',
    remedy: "fix the pod's readiness: check its containers, probes and readiness gates",
  },
  {
    code: 'OtherTopology',
    used: false,
    sentence: 'differs from this node in the labels that topologyKeys name',
    remedy: 'add "*" as the last of spec.topologyKeys of the Service to use other endpoints if none matches',
  },
  {
    code: 'HintsOtherNode',
    used: false,
    sentence: 'has hints for other nodes, and a ready endpoint has a hint for this node',
    remedy: 'remove PreferSameNode from spec.trafficDistribution of the Service to use endpoints on all nodes',
  },
  {
    code: 'HintsOtherZone',
    used: false,
    sentence: "has hints for other zones, and a ready endpoint has a hint for this node's zone",
    remedy: 'remove spec.trafficDistribution or the topology annotation from the Service to use endpoints in all zones',
  },
];
