import { createIPBitmap, createPortAllocator, type ServiceAllocators } from 'kube-endpoints/allocators';
import { type ApiObject, type Resource, resources } from 'kube-endpoints/port';
import type { HttpAnswer, HttpRequest } from '../../src/http/exchange.ts';
import { createResourceRoute, type ResourceRouteOptions } from '../../src/http/index.ts';
import { parseRequestInfo } from '../../src/http/request-info.ts';
import { builtInResources, type Catalog, createCatalog, type ServedResource } from '../../src/registry/catalog.ts';
import {
  createBuiltInStrategies,
  createRegistry,
  createSchemalessStrategy,
  type Registry,
  type RegistryOptions,
  randomnessFrom,
} from '../../src/registry/index.ts';
import { createStore, type Store } from '../../src/store/index.ts';
import { seeded } from '../registry/support.ts';
import { createClock, type ManualClock } from '../store/support.ts';

export interface RequestOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** Strings and bytes are sent unchanged, anything else as JSON. */
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

export interface Answer extends HttpAnswer {
  /** The complete body. */
  readonly text: string;
  /** The body as JSON. */
  readonly json: Json;
}

// biome-ignore lint/suspicious/noExplicitAny: answers may hold any JSON, and a wrong type fails the test
export type Json = any;

export interface Fixture {
  readonly store: Store;
  readonly registry: Registry;
  readonly catalog: Catalog;
  readonly clock: ManualClock;
  /** Returns the answer without reading its body; undefined if no route serves the request. */
  ask(method: string, url: string, options?: RequestOptions): Promise<HttpAnswer | undefined>;
  send(method: string, url: string, options?: RequestOptions): Promise<Answer>;
}

/** A custom resource with status and scale. */
export const widgets: Resource = { group: 'example.io', version: 'v1', plural: 'widgets', kind: 'Widget', namespaced: true };

/** Creates the routes for a store with the namespaces default and shop, and a manual clock. */
export async function createFixture(
  options: Partial<ResourceRouteOptions> = {},
  registryOptions: Pick<RegistryOptions, 'admission' | 'managesFields'> = {},
): Promise<Fixture> {
  const clock = createClock(Date.parse('2026-01-02T03:04:05Z'));
  const store = createStore({ clock });
  const draw = seeded();
  const allocators: ServiceAllocators = {
    clusterIPs: { IPv4: createIPBitmap({ cidr: '10.0.0.0/24', draw }) },
    defaultFamily: 'IPv4',
    nodePorts: createPortAllocator({ draw }),
  };
  const randomness = randomnessFrom(draw);
  const strategies = [...createBuiltInStrategies(allocators), createSchemalessStrategy({ resource: widgets, status: true })];
  const registry = createRegistry({ store, clock, randomness, strategies, ...registryOptions });
  for (const name of ['default', 'shop']) await registry.create(resources.namespaces, undefined, { metadata: { name } });
  const catalog = createCatalog([...builtInResources(), servedWidgets]);
  const route = createResourceRoute({ registry, catalog, clock, randomness, ...options });
  const ask = async (method: string, url: string, options: RequestOptions = {}): Promise<HttpAnswer | undefined> =>
    route(createRequest(method, url, options));
  return {
    store,
    registry,
    catalog,
    clock,
    ask,
    async send(method, url, options) {
      const answer = await ask(method, url, options);
      if (!answer) throw new Error(`no route answers ${method} ${url}`);
      const text = await readText(answer);
      return {
        ...answer,
        text,
        get json() {
          return JSON.parse(text);
        },
      };
    },
  };
}

/** Parses the events in a chunk of a watch. */
export const eventsOf = (text: string): Json[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

export const configMap = (name: string, fields: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  ...fields,
});

export const pod = (name: string): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  spec: { containers: [{ name: 'web', image: 'web:1' }] },
});

function createRequest(
  method: string,
  url: string,
  { headers = {}, body, signal = new AbortController().signal }: RequestOptions,
): HttpRequest {
  const [path = '', query = ''] = url.split('?');
  const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
  const bytes = body instanceof Uint8Array ? body : Buffer.from(text);
  return {
    method,
    path,
    query: new URLSearchParams(query),
    info: parseRequestInfo(method, path, () => new URLSearchParams(query).has('watch')),
    headers,
    user: { username: 'tester', groups: [] },
    signal,
    body: async () => bytes,
  };
}

async function readText({ body }: HttpAnswer): Promise<string> {
  if (typeof body === 'string') return body;
  if (body instanceof Uint8Array) return Buffer.from(body).toString('utf8');
  let text = '';
  for await (const chunk of body) text += chunk;
  return text;
}

const servedWidgets: ServedResource = {
  resource: widgets,
  singular: 'widget',
  listKind: 'WidgetList',
  shortNames: [],
  categories: [],
  verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
  subresources: [
    { name: 'status', verbs: ['get', 'patch', 'update'] },
    {
      name: 'scale',
      verbs: ['get', 'patch', 'update'],
      type: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
      view: {
        show: ({ metadata: { name, namespace, resourceVersion }, spec }) =>
          ({
            kind: 'Scale',
            apiVersion: 'autoscaling/v1',
            metadata: { name, namespace, resourceVersion },
            spec: { replicas: (spec as Json)?.replicas ?? 0 },
          }) as ApiObject,
        apply: (object, view) => ({ ...object, spec: { ...(object['spec'] as object), replicas: (view['spec'] as Json).replicas } }),
      },
    },
  ],
  columns: [{ name: 'Name', type: 'string', format: 'name', priority: 0 }],
  cells: ({ metadata }) => [metadata.name ?? ''],
  schema: { structural: { type: 'object' } },
};
