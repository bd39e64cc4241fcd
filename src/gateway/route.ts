import type { GatewayObjects } from './objects.ts';
import type { RouteOptions, RouteRequest, RouteResult } from './result.ts';

/**
 * Routes a request through Ingresses and Gateways: docs/semantics/gateway.md.
 * @throws RangeError for an invalid request, and for an object that an API server does not accept (`findRouteProblems`)
 */
export function routeRequest(_request: RouteRequest, _objects: GatewayObjects, _options: RouteOptions = {}): RouteResult {
  return { outcome: 'unknown', backends: [], reasons: [] };
}
