import type { Components } from './components.ts';
import { discoveryRoutes } from './discovery/index.ts';
import { type Route, resourceRoutes } from './http/index.ts';
import { openApiRoutes } from './openapi/index.ts';
import type { ApiServerOptions } from './options.ts';
import {
  createOperationalRoutes,
  createServerState,
  type Listening,
  type ListenOptions,
  listen,
  type ServerState,
  type StoredObjects,
} from './server/index.ts';
import { systemClock } from './store/index.ts';

type HttpServerComponents = Pick<Components, 'registry' | 'catalog'> & { readonly options: ApiServerOptions };

/** Serves all routes over HTTP. A separate module, so that only servers that listen load it. */
export function listenTo(
  { options: { clock = systemClock, randomness, faults }, ...components }: HttpServerComponents,
  listenOptions: ListenOptions,
): Promise<Listening> {
  const { registry, catalog } = components;
  const state = listenOptions.state ?? createServerState({ catalog });
  const { bodyBytes: maxBodyBytes } = listenOptions.limits ?? {};
  const resources = resourceRoutes({
    registry,
    catalog,
    clock,
    ...(randomness && { randomness }),
    ...(maxBodyBytes !== undefined && { maxBodyBytes }),
  });
  const route = combineRoutes(
    discoveryRoutes({ catalog }),
    resources,
    openApiRoutes({ catalog, clock }),
    createOperationalRoute(components, state),
  );
  return listen(faults ? faults.route(route) : route, { clock, ...listenOptions, state });
}

/** The first route that handles a request answers it. */
const combineRoutes =
  (...routes: readonly Route[]): Route =>
  (request) => {
    for (const route of routes) {
      const answer = route(request);
      if (answer) return answer;
    }
    return undefined;
  };

const createOperationalRoute = ({ catalog, registry }: Pick<HttpServerComponents, 'catalog' | 'registry'>, state: ServerState): Route =>
  createOperationalRoutes({ state, catalog, storedObjects: () => listStoredObjects({ catalog, registry }) });

function* listStoredObjects({ catalog, registry }: Pick<HttpServerComponents, 'catalog' | 'registry'>): Generator<StoredObjects> {
  for (const { resource, storedAs } of catalog.all()) {
    // The objects of such a resource are counted under the resource that stores them.
    if (storedAs) continue;
    const { items, metadata } = registry.store.list(resource, { limit: 1 });
    yield { group: resource.group, resource: resource.plural, count: items.length + (metadata.remainingItemCount ?? 0) };
  }
}
