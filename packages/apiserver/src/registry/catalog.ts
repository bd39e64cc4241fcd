import { apiVersionOf } from 'kube-endpoints/internal/apimachinery';
import type { ApiObject, Resource } from 'kube-endpoints/port';
import type { StructType } from '../api-types/index.ts';
import type { RowCondition } from '../resources/description.ts';
import { builtInDescriptions, type Cell, type Column, type Description } from '../resources/index.ts';
import { scaleSubresources } from './scale.ts';
import { connectSubresources, type ServedSubresource, type Verb } from './subresource.ts';

export type { ObjectView, ServedSubresource, Verb } from './subresource.ts';

/** A served resource: what paths, discovery, OpenAPI and tables need in addition to its strategy. */
export interface ServedResource {
  readonly resource: Resource;
  /** Group, version and kind under which objects are stored, if they differ from the resource's. */
  readonly storedAs?: Pick<Resource, 'group' | 'version' | 'kind'>;
  /** Warning sent with every answer for the resource. */
  readonly deprecation?: string;
  readonly singular: string;
  readonly listKind: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly verbs: readonly Verb[];
  readonly subresources: readonly ServedSubresource[];
  readonly columns: readonly Column[];
  /** Returns the cells of an object's table row, one per column. */
  readonly cells: (object: ApiObject, now: Date) => readonly Cell[];
  readonly rowConditions?: (object: ApiObject) => readonly RowCondition[];
  readonly schema: ResourceSchema;
}

/** The schema: the type of a built-in resource, or the structural schema of a custom resource. */
type ResourceSchema =
  | { readonly struct: StructType; readonly structural?: undefined }
  | { readonly structural: Readonly<Record<string, unknown>> | undefined; readonly struct?: undefined };

/** All served resources. Changes as CustomResourceDefinitions are added and removed. */
export interface Catalog {
  /** In insertion order. */
  all(): readonly ServedResource[];
  find(group: string, version: string, plural: string): ServedResource | undefined;
  /** Adds a resource, or replaces the resource of the same group, version and plural. */
  add(servedResource: ServedResource): void;
  remove(resource: Resource): void;
  /** Incremented with every change, so that derived data can be cached. */
  readonly generation: number;
}

export function createCatalog(initial: readonly ServedResource[]): Catalog {
  const byPath = new Map(initial.map((each) => [pathOf(each.resource), each]));
  let generation = 0;
  return {
    all: () => [...byPath.values()],
    find: (group, version, plural) => byPath.get(pathOf({ group, version, plural })),
    add(servedResource) {
      byPath.set(pathOf(servedResource.resource), servedResource);
      generation += 1;
    },
    remove(resource) {
      if (byPath.delete(pathOf(resource))) generation += 1;
    },
    get generation() {
      return generation;
    },
  };
}

/** Returns the resource `bindings`, which accepts only creates and stores no objects; undefined if pods cannot be bound. */
export function bindingsOf(catalog: Catalog): ServedResource | undefined {
  const pods = catalog.find('', 'v1', 'pods');
  const binding = pods?.subresources.find(({ name }) => name === 'binding');
  if (!pods || !binding) return undefined;
  const names = { singular: 'binding', listKind: 'BindingList', shortNames: [], categories: [] };
  const resource = { ...pods.resource, plural: 'bindings', kind: 'Binding' };
  return { ...pods, ...names, resource, verbs: binding.verbs, subresources: [], columns: [] };
}

/** @param descriptions those of all built-in resources */
export const builtInResources = (descriptions: readonly Description[] = builtInDescriptions()): readonly ServedResource[] =>
  descriptions.map(toServedResource);

export function toServedResource(description: Description): ServedResource {
  const { resource, singular, shortNames = [], categories = [], columns, type, subresources = {} } = description;
  const key = `${resource.plural}.${resource.group}`;
  return {
    resource,
    ...(storedKinds[`${key}/${resource.version}`] && { storedAs: storedKinds[`${key}/${resource.version}`] }),
    ...(deprecations[key] && { deprecation: deprecations[key] }),
    singular,
    listKind: resource.kind === 'Endpoints' ? 'EndpointsList' : `${resource.kind}List`,
    shortNames,
    categories,
    verbs: resource.kind.endsWith('Review') ? ['create'] : everyVerb.filter((verb) => !unsupportedVerbs[key]?.includes(verb)),
    subresources: [
      ...Object.keys(subresources).map((name) => ({ name, verbs: name === 'finalize' ? (['update'] as const) : objectVerbs })),
      ...(createOnlySubresources[key] ?? []),
      ...(scaleSubresources[key] ?? []),
      ...(connectSubresources[key] ?? []),
    ],
    columns,
    cells: description.cells as ServedResource['cells'],
    ...(description.rowConditions && { rowConditions: description.rowConditions as ServedResource['rowConditions'] & {} }),
    schema: { struct: type },
  };
}

export const everyVerb: readonly Verb[] = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];

const objectVerbs: readonly Verb[] = ['get', 'patch', 'update'];

const unsupportedVerbs: Readonly<Record<string, readonly Verb[]>> = {
  'componentstatuses.': ['create', 'delete', 'deletecollection', 'patch', 'update', 'watch'],
  'namespaces.': ['deletecollection'],
};

const storedKinds: Readonly<Record<string, Pick<Resource, 'group' | 'version' | 'kind'>>> = {
  'events.events.k8s.io/v1': { group: '', version: 'v1', kind: 'Event' },
  'horizontalpodautoscalers.autoscaling/v1': { group: 'autoscaling', version: 'v2', kind: 'HorizontalPodAutoscaler' },
};

const deprecations: Readonly<Record<string, string>> = {
  'componentstatuses.': 'v1 ComponentStatus is deprecated in v1.19+',
  'endpoints.': 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice',
};

/** Subresources that accept only creates, by resource. */
const createOnlySubresources: Readonly<Record<string, readonly ServedSubresource[]>> = {
  'pods.': [
    { name: 'binding', verbs: ['create'], type: { group: '', version: 'v1', kind: 'Binding' } },
    { name: 'eviction', verbs: ['create'], type: { group: 'policy', version: 'v1', kind: 'Eviction' } },
  ],
  'serviceaccounts.': [{ name: 'token', verbs: ['create'], type: { group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest' } }],
};

const pathOf = ({ group, version, plural }: Pick<Resource, 'group' | 'version' | 'plural'>): string =>
  `${apiVersionOf({ group, version } as Resource)}/${plural}`;
