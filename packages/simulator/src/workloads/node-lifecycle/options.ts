/** The flags of kube-controller-manager for the node lifecycle controller. Times are in milliseconds, rates in nodes per second. */
export interface NodeLifecycleOptions {
  /** How often nodes are checked. */
  readonly monitorPeriod: number;
  /** After this time without a sign of life, a node is Unknown. */
  readonly monitorGracePeriod: number;
  /** The grace period of a node without a condition Ready. */
  readonly startupGracePeriod: number;
  readonly evictionRate: number;
  /** The rate in a zone with partial disruption, if it is large. */
  readonly secondaryEvictionRate: number;
  /** A zone with more nodes is large. */
  readonly largeClusterThreshold: number;
  /** The share of nodes that are not ready from which on a zone has partial disruption. */
  readonly unhealthyZoneThreshold: number;
}

/** The defaults of 1.36 (cmd/kube-controller-manager/app/options/nodelifecyclecontroller.go). */
export const nodeLifecycleDefaults: NodeLifecycleOptions = {
  monitorPeriod: 5000,
  monitorGracePeriod: 50_000,
  startupGracePeriod: 60_000,
  evictionRate: 0.1,
  secondaryEvictionRate: 0.01,
  largeClusterThreshold: 50,
  unhealthyZoneThreshold: 0.55,
};
