/** Why an endpoint gets traffic of a port under a policy, or why not. */
export type ProxyReasonCode =
  | 'Ready'
  | 'TerminatingFallback'
  | 'PolicyNotUsed'
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
  readonly mend?: string;
}

/** All reasons, in the order in which they are checked. */
export const proxyReasons: readonly ProxyReasonRow[] = [
  { code: 'PolicyNotUsed', used: false, sentence: 'is not looked at: no traffic of this port follows this policy' },
  {
    code: 'NotLocal',
    used: false,
    sentence: 'is not on this node, and the traffic policy is Local',
    mend: 'run a pod on this node, or set the traffic policy to Cluster',
  },
  { code: 'Ready', used: true, sentence: 'is ready' },
  { code: 'TerminatingFallback', used: true, sentence: 'is terminating, but still serves, and there is no ready endpoint' },
  {
    code: 'TerminatingNotServing',
    used: false,
    sentence: 'is terminating and serves no more',
    mend: 'nothing, it is going; let another pod become ready',
  },
  {
    code: 'Terminating',
    used: false,
    sentence: 'is terminating, and there are ready endpoints',
    mend: 'nothing, it is going and others serve',
  },
  { code: 'NotReady', used: false, sentence: 'is not ready', mend: "mend the pod's readiness: its containers, probes and readiness gates" },
  {
    code: 'HintsOtherNode',
    used: false,
    sentence: 'is hinted for other nodes, and there is a ready endpoint for this one',
    mend: "take PreferSameNode out of the Service's spec.trafficDistribution to use endpoints of all nodes",
  },
  {
    code: 'HintsOtherZone',
    used: false,
    sentence: "is hinted for other zones, and there is a ready endpoint for this node's",
    mend: 'take spec.trafficDistribution or the topology annotation from the Service to use endpoints of all zones',
  },
];
