import type { ObjectReference } from '../types/index.ts';

/** What a node's kube-proxy makes of Services and slices, of one address family. */
export interface NodeView {
  readonly family: 'IPv4' | 'IPv6';
  /** By namespace, name and port name, then protocol. */
  readonly ports: readonly ServicePortView[];
  /** "shop/web" to the port at which the node tells how many local endpoints are ready. */
  readonly healthCheckNodePorts: Readonly<Record<string, number>>;
  /** "shop/web" to how many. */
  readonly localReady: Readonly<Record<string, number>>;
}

/** A port of a Service as a node serves it. Mirrors `ServicePort` and `CategorizeEndpoints` (1.36, pkg/proxy). */
export interface ServicePortView {
  /** "shop/web:http"; "shop/web" for a port without a name. */
  readonly name: string;
  readonly namespace: string;
  readonly service: string;
  readonly portName: string;
  readonly protocol: 'TCP' | 'UDP' | 'SCTP';
  readonly clusterIP: string;
  readonly port: number;
  /** 0: none. */
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
  /** All of them, by address and port. */
  readonly endpoints: readonly EndpointView[];
  /** Those that traffic under the policy Cluster goes to; undefined where none is asked for or there is none at all. */
  readonly cluster: readonly EndpointView[] | undefined;
  /** Those that traffic under the policy Local goes to; undefined where there is none. */
  readonly local: readonly EndpointView[] | undefined;
  /** All that something goes to from this node, by address and port. */
  readonly reachable: readonly EndpointView[] | undefined;
  /** Whether any node has an endpoint that could be used. */
  readonly hasAny: boolean;
  /** Whose hints traffic under the policy Cluster follows; absent where it goes to all that are ready. */
  readonly hints?: HintsFollowed | undefined;
}

/** Hints that name this node, or its zone: only the endpoints that have them get traffic. */
export type HintsFollowed = 'PreferSameNode' | 'PreferSameZone';

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
  /** Where it runs, as its slice says. */
  readonly nodeName?: string | undefined;
  /** What is behind the address, as its slice says: a pod as a rule. */
  readonly targetRef?: ObjectReference | undefined;
}
