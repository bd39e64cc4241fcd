import type { GatewayReason } from './reasons.ts';
import type { GatewayReference } from './reference.ts';

/** A request to a Gateway, or to the controller of an Ingress. */
export interface RouteRequest {
  /** "http" by default. For "tls", "tcp" and "udp", only `host` or `sni`, and `port`, are read. */
  readonly scheme?: 'http' | 'https' | 'tls' | 'tcp' | 'udp';
  /** The Host header; a port in it is ignored. Empty by default. */
  readonly host?: string;
  /** The name of the TLS handshake; the host by default. */
  readonly sni?: string;
  /** The port of the connection: 80 for "http" and 443 for "https" and "tls" by default. */
  readonly port?: number;
  /** "/" by default. May have a query, which is added to `query`. */
  readonly path?: string;
  /** "GET" by default. */
  readonly method?: string;
  /** With "content-type: application/grpc", GRPCRoutes match, too. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  /** "namespace/name" of the Gateway that the client connects to. By default, every Gateway and Ingress is considered. */
  readonly gateway?: string;
  /** The class of the Ingresses whose controller the client connects to. */
  readonly ingressClass?: string;
}

export interface RouteOptions {
  /** Whether a regular expression matches all of a text. If absent, the result is unknown. */
  readonly matchRegex?: (pattern: string, text: string) => boolean;
}

/** A Service that receives a share of the requests. */
export interface RouteBackend {
  readonly namespace: string;
  readonly name: string;
  /** The port of the Service. Absent if it is invalid or unknown. */
  readonly port?: number;
  /** From 0 to 1. The shares of all backends without `mirror` have the sum 1, if a backend without `mirror` exists. */
  readonly share: number;
  /** The HTTP status for this share of the requests, if the backend is invalid; 0 if the connections are refused. */
  readonly status?: number;
  /** The backend receives copies; its responses are ignored. */
  readonly mirror?: true;
  /** The field in the route or Ingress, for example "spec.rules[0].backendRefs[1]". */
  readonly path: string;
  /** What filters change on the way to this backend. Absent if nothing. */
  readonly rewrite?: RouteRewrite;
}

/** The changed parts of a request. */
export interface RouteRewrite {
  readonly host?: string;
  readonly path?: string;
  /** Request headers that are set, by lower-case name. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Lower-case names of request headers that are removed. */
  readonly removedHeaders?: readonly string[];
}

/** The rule that decides. */
export interface RouteVia {
  /** The Ingress, or the route. */
  readonly route: GatewayReference;
  /** For example "spec.rules[0].matches[1]", "spec.rules[0].http.paths[2]", "spec.defaultBackend". */
  readonly path: string;
  /** The Gateway, and the ListenerSet or Gateway with the listener. Absent for an Ingress. */
  readonly gateway?: GatewayReference;
  readonly parent?: GatewayReference;
  readonly listener?: string;
  /** The class of the Ingress, if it is known. */
  readonly ingressClass?: string;
}

export interface RouteResult {
  /** "unknown": the objects, or the specifications, leave it open. The other fields then have the answer if no open question changes it. */
  readonly outcome: 'backends' | 'redirect' | 'error' | 'unknown';
  /** The HTTP status of a redirect or an error. Absent if there is no HTTP response: nothing accepts the connection, or it is not HTTP. */
  readonly status?: number;
  /** The Location of a redirect. */
  readonly location?: string;
  readonly via?: RouteVia;
  /** In the order of their fields, mirrors last. Backends with weight 0 are left out. */
  readonly backends: readonly RouteBackend[];
  /** Why. The first one is the root cause of an error or of an unknown outcome, or the rule that decides. */
  readonly reasons: readonly GatewayReason[];
}
