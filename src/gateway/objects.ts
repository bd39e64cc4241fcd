import type { LabelSelector } from '../apimachinery/index.ts';
import type { ObjectMeta, Optional, Service } from '../types/index.ts';

/** `metav1.Condition`, as far as routing reads it. */
export interface Condition {
  readonly type?: Optional<string>;
  readonly status?: Optional<string>;
  readonly reason?: Optional<string>;
  readonly message?: Optional<string>;
  readonly observedGeneration?: Optional<number>;
}

interface Conditions {
  readonly conditions?: Optional<readonly Condition[]>;
}

/** An object with its name: `corev1.Namespace`, `corev1.Secret`. */
export interface NamedObject {
  readonly metadata?: Optional<ObjectMeta>;
}

/** `networkingv1.Ingress`. */
export interface Ingress extends NamedObject {
  readonly spec?: Optional<{
    readonly ingressClassName?: Optional<string>;
    readonly defaultBackend?: Optional<IngressBackend>;
    readonly rules?: Optional<readonly IngressRule[]>;
    readonly tls?: Optional<readonly { readonly hosts?: Optional<readonly string[]>; readonly secretName?: Optional<string> }[]>;
  }>;
  readonly status?: Optional<{ readonly loadBalancer?: Optional<{ readonly ingress?: Optional<readonly object[]> }> }>;
}

export interface IngressRule {
  readonly host?: Optional<string>;
  readonly http?: Optional<{ readonly paths?: Optional<readonly IngressPath[]> }>;
}

export interface IngressPath {
  readonly path?: Optional<string>;
  /** "Exact", "Prefix" or "ImplementationSpecific". */
  readonly pathType?: Optional<string>;
  readonly backend?: Optional<IngressBackend>;
}

export interface IngressBackend {
  readonly service?: Optional<{
    readonly name?: Optional<string>;
    readonly port?: Optional<{ readonly name?: Optional<string>; readonly number?: Optional<number> }>;
  }>;
  readonly resource?: Optional<{ readonly kind?: Optional<string>; readonly name?: Optional<string> }>;
}

/** `networkingv1.IngressClass`. */
export interface IngressClass extends NamedObject {
  readonly spec?: Optional<{ readonly controller?: Optional<string> }>;
}

/** `GatewayClass` of gateway.networking.k8s.io/v1. */
export interface GatewayClass extends NamedObject {
  readonly spec?: Optional<{ readonly controllerName?: Optional<string> }>;
  readonly status?: Optional<Conditions>;
}

interface AllowedNamespaces {
  /** "All", "Same", "Selector" or "None". */
  readonly from?: Optional<string>;
  readonly selector?: Optional<LabelSelector>;
}

/** A listener of a Gateway or ListenerSet. */
export interface Listener {
  readonly name?: Optional<string>;
  readonly port?: Optional<number>;
  readonly protocol?: Optional<string>;
  readonly hostname?: Optional<string>;
  readonly allowedRoutes?: Optional<{
    readonly namespaces?: Optional<AllowedNamespaces>;
    readonly kinds?: Optional<readonly { readonly group?: Optional<string>; readonly kind?: Optional<string> }[]>;
  }>;
  readonly tls?: Optional<{
    /** "Terminate" (the default) or "Passthrough". */
    readonly mode?: Optional<string>;
    readonly certificateRefs?: Optional<readonly ObjectRef[]>;
  }>;
}

interface ListenersStatus extends Conditions {
  readonly addresses?: Optional<readonly { readonly type?: Optional<string>; readonly value?: Optional<string> }[]>;
  readonly listeners?: Optional<readonly (Conditions & { readonly name?: Optional<string> })[]>;
}

/** `Gateway` of gateway.networking.k8s.io/v1. */
export interface Gateway extends NamedObject {
  readonly spec?: Optional<{
    readonly gatewayClassName?: Optional<string>;
    readonly listeners?: Optional<readonly Listener[]>;
    readonly allowedListeners?: Optional<{ readonly namespaces?: Optional<AllowedNamespaces> }>;
  }>;
  readonly status?: Optional<ListenersStatus>;
}

/** `ListenerSet` of gateway.networking.k8s.io/v1: more listeners of a Gateway. */
export interface ListenerSet extends NamedObject {
  readonly spec?: Optional<{ readonly parentRef?: Optional<ObjectRef>; readonly listeners?: Optional<readonly Listener[]> }>;
  readonly status?: Optional<ListenersStatus>;
}

/** A reference to an object; defaults depend on the field. */
export interface ObjectRef {
  readonly group?: Optional<string>;
  readonly kind?: Optional<string>;
  readonly namespace?: Optional<string>;
  readonly name?: Optional<string>;
}

/** `ParentReference`. */
export interface ParentRef extends ObjectRef {
  readonly sectionName?: Optional<string>;
  readonly port?: Optional<number>;
}

/** `BackendRef`, with the filters of an HTTPBackendRef or GRPCBackendRef. */
export interface BackendRef extends ObjectRef {
  readonly port?: Optional<number>;
  /** 1 by default. */
  readonly weight?: Optional<number>;
  readonly filters?: Optional<readonly RouteFilter[]>;
}

/** A value to match: "Exact" (the default) or "RegularExpression". */
export interface ValueMatch {
  readonly type?: Optional<string>;
  readonly name?: Optional<string>;
  readonly value?: Optional<string>;
}

/** `HTTPRouteMatch`. */
export interface HTTPRouteMatch {
  /** The type is "Exact", "PathPrefix" (the default) or "RegularExpression". */
  readonly path?: Optional<Omit<ValueMatch, 'name'>>;
  readonly headers?: Optional<readonly ValueMatch[]>;
  readonly queryParams?: Optional<readonly ValueMatch[]>;
  readonly method?: Optional<string>;
}

/** `GRPCRouteMatch`. */
export interface GRPCRouteMatch {
  readonly method?: Optional<{
    readonly type?: Optional<string>;
    readonly service?: Optional<string>;
    readonly method?: Optional<string>;
  }>;
  readonly headers?: Optional<readonly ValueMatch[]>;
}

interface HeaderFilter {
  readonly set?: Optional<readonly { readonly name?: Optional<string>; readonly value?: Optional<string> }[]>;
  readonly add?: Optional<readonly { readonly name?: Optional<string>; readonly value?: Optional<string> }[]>;
  readonly remove?: Optional<readonly string[]>;
}

export interface PathModifier {
  /** "ReplaceFullPath" or "ReplacePrefixMatch". */
  readonly type?: Optional<string>;
  readonly replaceFullPath?: Optional<string>;
  readonly replacePrefixMatch?: Optional<string>;
}

/** `HTTPRouteFilter` or `GRPCRouteFilter`. */
export interface RouteFilter {
  readonly type?: Optional<string>;
  readonly requestHeaderModifier?: Optional<HeaderFilter>;
  readonly requestMirror?: Optional<{
    readonly backendRef?: Optional<BackendRef>;
    readonly percent?: Optional<number>;
    readonly fraction?: Optional<{ readonly numerator?: Optional<number>; readonly denominator?: Optional<number> }>;
  }>;
  readonly requestRedirect?: Optional<{
    readonly scheme?: Optional<string>;
    readonly hostname?: Optional<string>;
    readonly path?: Optional<PathModifier>;
    readonly port?: Optional<number>;
    readonly statusCode?: Optional<number>;
  }>;
  readonly urlRewrite?: Optional<{ readonly hostname?: Optional<string>; readonly path?: Optional<PathModifier> }>;
}

/** A route of gateway.networking.k8s.io. */
interface Route<Match> extends NamedObject {
  readonly spec?: Optional<{
    readonly parentRefs?: Optional<readonly ParentRef[]>;
    readonly hostnames?: Optional<readonly string[]>;
    readonly rules?: Optional<readonly RouteRule<Match>[]>;
  }>;
  readonly status?: Optional<{
    readonly parents?: Optional<readonly (Conditions & { readonly parentRef?: Optional<ParentRef> })[]>;
  }>;
}

export interface RouteRule<Match> {
  readonly name?: Optional<string>;
  readonly matches?: Optional<readonly Match[]>;
  readonly filters?: Optional<readonly RouteFilter[]>;
  readonly backendRefs?: Optional<readonly BackendRef[]>;
}

export interface HTTPRoute extends Route<HTTPRouteMatch> {}
export interface GRPCRoute extends Route<GRPCRouteMatch> {}
/** `TLSRoute`, `TCPRoute` or `UDPRoute`: the rules match every connection. */
export interface StreamRoute extends Route<object> {}

/** `ReferenceGrant`. */
export interface ReferenceGrant extends NamedObject {
  readonly spec?: Optional<{
    readonly from?: Optional<readonly Omit<ObjectRef, 'name'>[]>;
    readonly to?: Optional<readonly Omit<ObjectRef, 'namespace'>[]>;
  }>;
}

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
