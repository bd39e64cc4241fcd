import type { LabelSelector } from '../apimachinery/index.ts';
import type { ObjectMeta, Optional, Service } from '../types/index.ts';

/** All fields of API objects may be absent. */
type Fields<T> = { readonly [Name in keyof T]?: Optional<T[Name]> };
type List<T> = readonly Fields<T>[];

/** `metav1.Condition`, as far as routing reads it. */
export type Condition = Fields<{ type: string; status: string; reason: string; message: string; observedGeneration: number }>;

interface Conditions {
  conditions: readonly Condition[];
}

/** An object with its name: `corev1.Namespace`, `corev1.Secret`. */
export interface NamedObject {
  readonly metadata?: Optional<ObjectMeta>;
}

interface ApiObject<Spec, Status = object> extends NamedObject {
  readonly spec?: Optional<Fields<Spec>>;
  readonly status?: Optional<Fields<Status>>;
}

/** `networkingv1.Ingress`. */
export type Ingress = ApiObject<
  {
    ingressClassName: string;
    defaultBackend: IngressBackend;
    rules: List<{ host: string; http: Fields<{ paths: readonly IngressPath[] }> }>;
    tls: List<{ hosts: readonly string[]; secretName: string }>;
  },
  { loadBalancer: Fields<{ ingress: readonly object[] }> }
>;

/** The pathType is "Exact", "Prefix" or "ImplementationSpecific". */
export type IngressPath = Fields<{ path: string; pathType: string; backend: IngressBackend }>;

export type IngressBackend = Fields<{
  service: Fields<{ name: string; port: Fields<{ name: string; number: number }> }>;
  resource: Fields<{ kind: string; name: string }>;
}>;

/** `networkingv1.IngressClass`. */
export type IngressClass = NamedObject;

/** `GatewayClass` of gateway.networking.k8s.io/v1. */
export type GatewayClass = ApiObject<object, Conditions>;

/** `from` is "All", "Same", "Selector" or "None". */
export type AllowedNamespaces = Fields<{ from: string; selector: LabelSelector }>;

/** A listener of a Gateway or ListenerSet. The mode of TLS is "Terminate" (the default) or "Passthrough". */
export type Listener = Fields<{
  name: string;
  port: number;
  protocol: string;
  hostname: string;
  allowedRoutes: Fields<{ namespaces: AllowedNamespaces; kinds: readonly ObjectRef[] }>;
  tls: Fields<{ mode: string; certificateRefs: readonly ObjectRef[] }>;
}>;

type ListenersStatus = Conditions & {
  addresses: List<{ type: string; value: string }>;
  listeners: List<Conditions & { name: string }>;
};

/** `Gateway` of gateway.networking.k8s.io/v1. */
export type Gateway = ApiObject<
  { gatewayClassName: string; listeners: readonly Listener[]; allowedListeners: Fields<{ namespaces: AllowedNamespaces }> },
  ListenersStatus
>;

/** `ListenerSet` of gateway.networking.k8s.io/v1: more listeners of a Gateway. */
export type ListenerSet = ApiObject<{ parentRef: ObjectRef; listeners: readonly Listener[] }, ListenersStatus>;

interface Reference {
  group: string;
  kind: string;
  namespace: string;
  name: string;
}

/** A reference to an object; the defaults depend on the field. */
export type ObjectRef = Fields<Reference>;

/** `ParentReference`. */
export type ParentRef = Fields<Reference & { sectionName: string; port: number }>;

/** `BackendRef`, with the filters of an HTTPBackendRef or GRPCBackendRef. The weight is 1 by default. */
export type BackendRef = Fields<Reference & { port: number; weight: number; filters: readonly RouteFilter[] }>;

/** A value to match: "Exact" (the default) or "RegularExpression"; for a path, also "PathPrefix" (the default). */
export type ValueMatch = Fields<{ type: string; name: string; value: string }>;

export type HTTPRouteMatch = Fields<{
  path: Omit<ValueMatch, 'name'>;
  headers: readonly ValueMatch[];
  queryParams: readonly ValueMatch[];
  method: string;
}>;

export type GRPCRouteMatch = Fields<{
  method: Fields<{ type: string; service: string; method: string }>;
  headers: readonly ValueMatch[];
}>;

/** The type is "ReplaceFullPath" or "ReplacePrefixMatch". */
export type PathModifier = Fields<{ type: string; replaceFullPath: string; replacePrefixMatch: string }>;

type Headers = List<{ name: string; value: string }>;

/** `HTTPRouteFilter` or `GRPCRouteFilter`. */
export type RouteFilter = Fields<{
  type: string;
  requestHeaderModifier: Fields<{ set: Headers; add: Headers; remove: readonly string[] }>;
  requestMirror: Fields<{ backendRef: BackendRef; percent: number; fraction: Fields<{ numerator: number; denominator: number }> }>;
  requestRedirect: Fields<{ scheme: string; hostname: string; path: PathModifier; port: number; statusCode: number }>;
  urlRewrite: Fields<{ hostname: string; path: PathModifier }>;
}>;

export type RouteRule<Match> = Fields<{
  name: string;
  matches: readonly Match[];
  filters: readonly RouteFilter[];
  backendRefs: readonly BackendRef[];
}>;

type Route<Match> = ApiObject<
  { parentRefs: readonly ParentRef[]; hostnames: readonly string[]; rules: readonly RouteRule<Match>[] },
  { parents: List<Conditions & { parentRef: ParentRef }> }
>;

/** `HTTPRoute` of gateway.networking.k8s.io/v1. */
export type HTTPRoute = Route<HTTPRouteMatch>;
/** `GRPCRoute` of gateway.networking.k8s.io/v1. */
export type GRPCRoute = Route<GRPCRouteMatch>;
/** `TLSRoute`, `TCPRoute` or `UDPRoute`: the rules match every connection. */
export type StreamRoute = Route<object>;

/** `ReferenceGrant`. */
export type ReferenceGrant = ApiObject<{ from: List<Omit<Reference, 'name'>>; to: List<Omit<Reference, 'namespace'>> }>;

/**
 * The objects of a cluster. An absent list is unknown, an empty one has no such objects: a class of an absent list may exist, one of an
 * empty list does not.
 */
export interface GatewayObjects {
  readonly ingresses?: Optional<Iterable<Ingress>>;
  readonly ingressClasses?: Optional<Iterable<IngressClass>>;
  readonly gatewayClasses?: Optional<Iterable<GatewayClass>>;
  readonly gateways?: Optional<Iterable<Gateway>>;
  readonly listenerSets?: Optional<Iterable<ListenerSet>>;
  readonly httpRoutes?: Optional<Iterable<HTTPRoute>>;
  readonly grpcRoutes?: Optional<Iterable<GRPCRoute>>;
  readonly tlsRoutes?: Optional<Iterable<StreamRoute>>;
  readonly tcpRoutes?: Optional<Iterable<StreamRoute>>;
  readonly udpRoutes?: Optional<Iterable<StreamRoute>>;
  readonly referenceGrants?: Optional<Iterable<ReferenceGrant>>;
  readonly services?: Optional<Iterable<Service>>;
  readonly namespaces?: Optional<Iterable<NamedObject>>;
  /** Only their names are read. */
  readonly secrets?: Optional<Iterable<NamedObject>>;
}
