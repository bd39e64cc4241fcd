import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { Components } from './components.ts';
import type { ServerAddress } from './controllers/index.ts';
import { createDiscoveryRoutes } from './discovery/index.ts';
import { computeNominalSeats } from './flow-control/index.ts';
import { createResourceRoute, type Route } from './http/index.ts';
import { createOpenApiRoute } from './openapi/index.ts';
import type { ApiServerOptions } from './options.ts';
import {
  type CertificateKeys,
  createOperationalRoutes,
  createServerState,
  createStartupChecks,
  defaultLimits,
  type Listening,
  type ListenOptions,
  listen,
  type StoredObjects,
} from './server/index.ts';
import { systemClock } from './store/index.ts';

type HttpServerComponents = Pick<
  Components,
  'registry' | 'catalog' | 'authorizer' | 'classifyFlow' | 'serviceAccountTokens' | 'haveServerControllersStarted'
> & {
  readonly options: ApiServerOptions;
  readonly certificateKeys: Promise<CertificateKeys> | undefined;
};

/** Starts an HTTPS server, or an HTTP server without `tls`, for all routes. A separate module, so that only servers that listen load it. */
export function startHttpServer(
  { options: { clock = systemClock, randomness, faults, authorization }, certificateKeys, ...components }: HttpServerComponents,
  listenOptions: ListenOptions,
): Promise<Listening> {
  const { registry, catalog, authorizer, classifyFlow, serviceAccountTokens } = components;
  const state = listenOptions.state ?? createServerState({ catalog });
  const { bodyBytes: maxBodyBytes } = listenOptions.limits ?? {};
  const resources = createResourceRoute({
    registry,
    catalog,
    authorizer,
    findUser: (token, audiences) => state.findUser?.(token, audiences),
    serviceAccountTokens,
    clock,
    ...(randomness && { randomness }),
    ...(maxBodyBytes !== undefined && { maxBodyBytes }),
  });
  const route = combineRoutes(
    createDiscoveryRoutes({ catalog }),
    resources,
    createOpenApiRoute({ catalog, clock }),
    createOperationalRoutes({
      state,
      catalog,
      checks: createStartupChecks({ usesRbac: authorization === 'rbac', haveControllersStarted: components.haveServerControllersStarted }),
      storedObjects: () => listStoredObjects(components),
      nominalSeats: () => computeNominalSeats(registry.store, listenOptions.limits?.inFlight ?? defaultLimits.inFlight),
    }),
  );
  return listen(faults ? faults.route(route) : route, {
    clock,
    findServiceAccount: serviceAccountTokens.findUser,
    ...(certificateKeys && { certificateKeys }),
    ...listenOptions,
    state,
    authorizer,
    classifyFlow,
  });
}

/**
 * The address of the server for the Endpoints of default/kubernetes: its host or, if that is loopback or a name, the first address of the
 * machine. Undefined if the machine has none.
 */
export function advertisedAddressOf({ host, port }: Listening): ServerAddress | undefined {
  if (isIP(host) !== 0 && !isLoopbackOrUnspecified(host)) return { ip: host, port };
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  const address = addresses.find(({ family, internal }) => family === 'IPv4' && !internal);
  return address && { ip: address.address, port };
}

const isLoopbackOrUnspecified = (ip: string): boolean => /^(?:127\.|0\.0\.0\.0$|::1?$)/.test(ip);

/** Creates a route that passes a request to the first route that handles it; returns undefined if no route does. */
const combineRoutes =
  (...routes: readonly Route[]): Route =>
  (request) => {
    for (const route of routes) {
      const answer = route(request);
      if (answer) return answer;
    }
    return undefined;
  };

function* listStoredObjects({ catalog, registry }: Pick<HttpServerComponents, 'catalog' | 'registry'>): Generator<StoredObjects> {
  for (const { resource, storedAs, verbs } of catalog.all()) {
    // Reviews are not stored. The objects of a resource with storedAs are counted under the resource in which they are stored.
    if (storedAs || !verbs.includes('list')) continue;
    const { items, metadata } = registry.store.list(resource, { limit: 1 });
    yield { group: resource.group, resource: resource.plural, count: items.length + (metadata.remainingItemCount ?? 0) };
  }
}
