/**
 * Which Services a request reaches through Ingress (networking.k8s.io/v1) or Gateway API (gateway.networking.k8s.io/v1), and why.
 *
 * `routeRequest` answers for one request; `findRouteProblems` lists what is wrong with all objects.
 */
export type {
  Gateway,
  GatewayClass,
  GatewayObjects,
  GRPCRoute,
  HTTPRoute,
  Ingress,
  IngressClass,
  ListenerSet,
  ReferenceGrant,
  StreamRoute,
} from './objects.ts';
export { findRouteProblems } from './problems.ts';
export { type GatewayReasonCode, gatewayReasons } from './reason-table.ts';
export type { GatewayReason } from './reasons.ts';
export type { GatewayReference } from './reference.ts';
export type { RouteBackend, RouteOptions, RouteRequest, RouteResult, RouteRewrite, RouteVia } from './result.ts';
export { routeRequest } from './route.ts';
