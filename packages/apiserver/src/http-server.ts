import type { Components } from './components.ts';
import { discoveryRoutes } from './discovery/index.ts';
import { type Route, resourceRoutes } from './http/index.ts';
import { openApiRoutes } from './openapi/index.ts';
import type { ApiServerOptions } from './options.ts';
import {
  createServerState,
  type Listening,
  type ListenOptions,
  listen,
  operationalRoutes,
  type ServerState,
  type StoredObjects,
} from './server/index.ts';
import { systemClock } from './store/index.ts';

type HttpServerComponents = Pick<Components, 'registry' | 'catalog'> & { readonly options: ApiServerOptions };

/** Serves all routes over HTTP. A separate module, so that only servers that listen load it. */
export function listenTo(
  { options: { clock = systemClock, randomness, faults }, ...components }: HttpServerComponents,
  given: ListenOptions,
): Promise<Listening> {
  const { registry, catalog } = components;
  const state = given.state ?? createServerState({ catalog });
  const { bodyBytes: maxBodyBytes } = given.limits ?? {};
  const resources = resourceRoutes({
    registry,
    catalog,
    clock,
    ...(randomness && { randomness }),
    ...(maxBodyBytes !== undefined && { maxBodyBytes }),
  });
  const route = firstOf(discoveryRoutes({ catalog }), resources, openApiRoutes({ catalog, clock }), operational(components, state));
  return listen(faults ? faults.route(route) : route, { clock, ...given, state });
}

/** The first route that handles a request answers it. */
const firstOf =
  (...routes: readonly Route[]): Route =>
  (request) => {
    for (const route of routes) {
      const answer = route(request);
      if (answer) return answer;
    }
    return undefined;
  };

const operational = ({ catalog, registry }: Pick<HttpServerComponents, 'catalog' | 'registry'>, state: ServerState): Route =>
  operationalRoutes({ state, catalog, storedObjects: () => storedObjects({ catalog, registry }) });

function* storedObjects({ catalog, registry }: Pick<HttpServerComponents, 'catalog' | 'registry'>): Generator<StoredObjects> {
  for (const { resource, storedAs } of catalog.all()) {
    if (storedAs) continue;
    const { items, metadata } = registry.store.list(resource, { limit: 1 });
    yield { group: resource.group, resource: resource.plural, count: items.length + (metadata.remainingItemCount ?? 0) };
  }
}
