import type { ObjectReference, StringMap } from '../types/index.ts';

/** The view of Services and EndpointSlices that a node's kube-proxy has, for one address family. */
export interface NodeView {
  readonly family: 'IPv4' | 'IPv6';
  /** Sorted by namespace, name and port name, then protocol. */
  readonly ports: readonly ServicePortView[];
  /** Health check node ports by Service key "shop/web". Each port reports the number of ready local endpoints. */
  readonly healthCheckNodePorts: Readonly<Record<string, number>>;
  /** Number of ready local endpoints by Service key "shop/web". */
  readonly localReady: Readonly<Record<string, number>>;
}

/** A port of a Service as a node serves it. Mirrors `ServicePort` and `CategorizeEndpoints` (1.36, pkg/proxy). */
export interface ServicePortView {
  /** "shop/web:http"; "shop/web" for an unnamed port. */
  readonly name: string;
  readonly namespace: string;
  readonly service: string;
  readonly portName: string;
  readonly protocol: 'TCP' | 'UDP' | 'SCTP';
  readonly clusterIP: string;
  readonly port: number;
  /** 0 if the port has no node port. */
  readonly nodePort: number;
  readonly externalIPs: readonly string[];
  readonly loadBalancerVIPs: readonly string[];
  readonly loadBalancerSourceRanges: readonly string[];
  readonly sessionAffinity: 'None' | 'ClientIP';
  readonly stickyMaxAgeSeconds: number;
  readonly healthCheckNodePort: number;
  readonly externalPolicyLocal: boolean;
  readonly internalPolicyLocal: boolean;
  readonly externallyAccessible: boolean;
  readonly usesClusterEndpoints: boolean;
  readonly usesLocalEndpoints: boolean;
  /** All endpoints, sorted by address and port; in releases that read Endpoints, in the order of these. */
  readonly endpoints: readonly EndpointView[];
  /** The endpoints for the policy Cluster; undefined if no traffic uses that policy or the port has no endpoints. */
  readonly cluster: readonly EndpointView[] | undefined;
  /** The endpoints for the policy Local; undefined if there are none. */
  readonly local: readonly EndpointView[] | undefined;
  /** All endpoints that get any traffic from this node, in the order of `endpoints`. */
  readonly reachable: readonly EndpointView[] | undefined;
  /** In 1.22.0 to 1.22.3: the endpoints that have chains, including those that are not ready. */
  readonly chained?: readonly EndpointView[];
  /** Whether any node has a usable endpoint. */
  readonly hasAny: boolean;
  /** The kind of hints that the policy Cluster applies; absent if no hints apply, so that all ready endpoints get traffic. */
  readonly hints?: AppliedHints | undefined;
  /** With the feature gate ServiceTopology: the keys that select endpoints. */
  readonly topologyKeys?: readonly string[];
  /** Before 1.31: the Service has no annotation that enables hints. */
  readonly ignoresHints?: boolean;
}

/** Kinds of hints that name this node or its zone: only endpoints with such a hint get traffic. */
export type AppliedHints = 'PreferSameNode' | 'PreferSameZone';

/** An endpoint as a node sees it. */
export interface EndpointView {
  /** "10.0.0.1:8080", "[fd00::1]:8080" */
  readonly text: string;
  readonly ip: string;
  readonly port: number;
  readonly isLocal: boolean;
  readonly ready: boolean;
  readonly serving: boolean;
  readonly terminating: boolean;
  readonly zoneHints: readonly string[];
  readonly nodeHints: readonly string[];
  /** With the feature gate ServiceTopology: the labels that topologyKeys compare. */
  readonly topology?: StringMap;
  /** The node of the endpoint, from the slice or the Endpoints. */
  readonly nodeName?: string | undefined;
  /** The object behind the address, from the slice or the Endpoints; usually a pod. */
  readonly targetRef?: ObjectReference | undefined;
}
