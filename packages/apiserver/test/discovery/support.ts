import type { HttpAnswer, HttpRequest, Route } from '../../src/http/exchange.ts';
import { parseRequestInfo } from '../../src/http/request-info.ts';
import { type Catalog, everyVerb, type ServedResource } from '../../src/registry/catalog.ts';

/** Sends a request to a route; undefined if it does not serve the path. */
export async function sendRequest(
  route: Route,
  url: string,
  headers: Readonly<Record<string, string>> = {},
  method = 'GET',
): Promise<HttpAnswer | undefined> {
  const { pathname, searchParams } = new URL(url, 'http://localhost');
  const request: HttpRequest = {
    method,
    path: pathname,
    query: searchParams,
    info: parseRequestInfo(method, pathname, () => searchParams.has('watch')),
    headers,
    user: { username: 'system:admin', groups: ['system:masters', 'system:authenticated'] },
    signal: new AbortController().signal,
    body: async () => new Uint8Array(),
  };
  return route(request);
}

/** Parses the JSON of an answer. */
export const jsonOf = (answer: HttpAnswer | undefined): unknown => JSON.parse(String(answer?.body));

export const widgetSchema = {
  description: 'A widget of the factory.',
  type: 'object',
  required: ['spec'],
  properties: {
    spec: {
      type: 'object',
      required: ['size', 'name'],
      properties: {
        size: { type: 'integer', format: 'int32', minimum: 1, default: 3 },
        name: { type: 'string', nullable: true },
        port: { 'x-kubernetes-int-or-string': true },
        free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        template: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
        parts: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['id'],
          items: { type: 'object', required: ['id'], properties: { id: { type: 'string' } } },
        },
      },
    },
  },
} as const;

/** A custom resource: widgets of example.com, stored as v1. */
export function createWidgetResource(version: string, overrides: Partial<ServedResource> = {}): ServedResource {
  return {
    resource: { group: 'example.com', version, plural: 'widgets', kind: 'Widget', namespaced: true },
    storedAs: { group: 'example.com', version: 'v1', kind: 'Widget' },
    singular: 'widget',
    listKind: 'WidgetList',
    shortNames: ['wd'],
    categories: ['all'],
    verbs: everyVerb,
    subresources: [
      { name: 'scale', verbs: ['get', 'patch', 'update'], type: { group: 'autoscaling', version: 'v1', kind: 'Scale' } },
      { name: 'status', verbs: ['get', 'patch', 'update'] },
    ],
    columns: [],
    cells: () => [],
    schema: { structural: widgetSchema },
    ...overrides,
  };
}

/** A cluster-scoped custom resource in another group. */
export const createCustomResource = (group: string, version: string, plural: string, kind: string): ServedResource =>
  createWidgetResource(version, {
    resource: { group, version, plural, kind, namespaced: false },
    storedAs: { group, version, kind },
    singular: kind.toLowerCase(),
    listKind: `${kind}List`,
    shortNames: [],
    categories: [],
    subresources: [],
  });

/** Wraps a catalog to count its reads. */
export function countReads(catalog: Catalog): { readonly catalog: Catalog; readonly readCount: () => number } {
  let count = 0;
  const countingCatalog: Catalog = {
    ...catalog,
    all() {
      count += 1;
      return catalog.all();
    },
    get generation() {
      return catalog.generation;
    },
  };
  return { catalog: countingCatalog, readCount: () => count };
}
