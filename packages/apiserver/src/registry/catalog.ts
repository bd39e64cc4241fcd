import { apiVersionOf } from 'kube-endpoints/internal';
import type { ApiObject, Resource } from 'kube-endpoints/port';
import type { RowCondition } from '../resources/description.ts';
import { type Cell, type Column, type Description, descriptions, type StructType } from '../resources/index.ts';

export type Verb = 'create' | 'delete' | 'deletecollection' | 'get' | 'list' | 'patch' | 'update' | 'watch';

/** A resource as clients see it: what paths, discovery, OpenAPI and tables have to know, beyond what the registry does. */
export interface ServedResource {
  readonly resource: Resource;
  /** Under which group, version and kind its objects are stored, where that is another than its own. */
  readonly storedAs?: Pick<Resource, 'group' | 'version' | 'kind'>;
  /** What everybody is warned of who asks for it. */
  readonly deprecation?: string;
  readonly singular: string;
  readonly listKind: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly verbs: readonly Verb[];
  readonly subresources: readonly ServedSubresource[];
  readonly columns: readonly Column[];
  /** The cells of an object's row, one for each column. */
  readonly cells: (object: ApiObject, now: Date) => readonly Cell[];
  /** What is to be said of the row as a whole. */
  readonly rowConditions?: (object: ApiObject) => readonly RowCondition[];
  readonly schema: ResourceSchema;
}

/** What an object looks like: the table of a built-in type, or the structural schema of a custom resource. */
type ResourceSchema =
  | { readonly struct: StructType; readonly structural?: undefined }
  | { readonly structural: Readonly<Record<string, unknown>> | undefined; readonly struct?: undefined };

export interface ServedSubresource {
  /** As in paths: "status". */
  readonly name: string;
  readonly verbs: readonly Verb[];
  /** What is sent and answered; absent: the resource itself. */
  readonly type?: { readonly group: string; readonly version: string; readonly kind: string };
  /** Where it is a view of the object that can be written back: how. */
  readonly view?: ObjectView;
}

/** Another form of an object, such as the Scale of a workload. */
export interface ObjectView {
  show(object: ApiObject): ApiObject;
  /** What a write starts from, where an object that cannot be shown yet can be written. By default what is shown. */
  base?(object: ApiObject): ApiObject;
  /** The object as a changed view wants it. @throws ApiError */
  apply(object: ApiObject, shown: ApiObject): ApiObject;
}

/** Everything that is served. It changes as custom resources come and go. */
export interface Catalog {
  /** In the order in which they were added. */
  all(): readonly ServedResource[];
  find(group: string, version: string, plural: string): ServedResource | undefined;
  /** Adds one, or puts it in the place of that of its group, version and plural. */
  add(served: ServedResource): void;
  remove(resource: Resource): void;
  /** Goes up with every change: what is derived from the catalog can be kept until then. */
  readonly generation: number;
}

export function createCatalog(initial: readonly ServedResource[]): Catalog {
  const byPath = new Map(initial.map((served) => [pathOf(served.resource), served]));
  let generation = 0;
  return {
    all: () => [...byPath.values()],
    find: (group, version, plural) => byPath.get(pathOf({ group, version, plural })),
    add(served) {
      byPath.set(pathOf(served.resource), served);
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

/** Bindings, where pods can be bound: they are made beside the pods, too, and are no resource of their own. */
export function bindingsOf(catalog: Catalog): ServedResource | undefined {
  const pods = catalog.find('', 'v1', 'pods');
  const binding = pods?.subresources.find(({ name }) => name === 'binding');
  if (!pods || !binding) return undefined;
  const names = { singular: 'binding', listKind: 'BindingList', shortNames: [], categories: [] };
  const resource = { ...pods.resource, plural: 'bindings', kind: 'Binding' };
  return { ...pods, ...names, resource, verbs: binding.verbs, subresources: [], columns: [] };
}

/** The resources that are described, as they are served. */
export const builtInResources = (): readonly ServedResource[] => Object.values(descriptions).map(servedAs);

export function servedAs(description: Description): ServedResource {
  const { resource, singular, shortNames, categories, columns, type } = description;
  const key = `${resource.plural}.${resource.group}`;
  return {
    resource,
    ...(stored[key] && { storedAs: stored[key] }),
    ...(deprecations[key] && { deprecation: deprecations[key] }),
    singular,
    listKind: resource.kind === 'Endpoints' ? 'EndpointsList' : `${resource.kind}List`,
    shortNames,
    categories,
    verbs: everyVerb.filter((verb) => !withoutVerbs[key]?.includes(verb)),
    subresources: [
      ...Object.keys(description.subresources).map((name) => ({ name, verbs: name === 'finalize' ? (['update'] as const) : ownVerbs })),
      ...(besides[key] ?? []),
    ],
    columns,
    cells: description.cells as ServedResource['cells'],
    ...(description.rowConditions && { rowConditions: description.rowConditions as ServedResource['rowConditions'] & {} }),
    schema: { struct: type },
  };
}

export const everyVerb: readonly Verb[] = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];

const ownVerbs: readonly Verb[] = ['get', 'patch', 'update'];

const withoutVerbs: Readonly<Record<string, readonly Verb[]>> = { 'namespaces.': ['deletecollection'] };

const stored: Readonly<Record<string, Pick<Resource, 'group' | 'version' | 'kind'>>> = {
  'events.events.k8s.io': { group: '', version: 'v1', kind: 'Event' },
};

const deprecations: Readonly<Record<string, string>> = {
  'endpoints.': 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice',
};

/** Subresources that are no way to write the object itself. */
const besides: Readonly<Record<string, readonly ServedSubresource[]>> = {
  'pods.': [
    { name: 'binding', verbs: ['create'], type: { group: '', version: 'v1', kind: 'Binding' } },
    { name: 'eviction', verbs: ['create'], type: { group: 'policy', version: 'v1', kind: 'Eviction' } },
  ],
};

const pathOf = ({ group, version, plural }: Pick<Resource, 'group' | 'version' | 'plural'>): string =>
  `${apiVersionOf({ group, version } as Resource)}/${plural}`;
