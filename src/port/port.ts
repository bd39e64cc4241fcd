/** Any object of the API: what is common to all is typed, the rest is passed on. */
export interface ApiObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: ApiObjectMeta;
  readonly [field: string]: unknown;
}

/** The part of `metav1.ObjectMeta` that every host looks at. */
export interface ApiObjectMeta {
  readonly name?: string;
  readonly generateName?: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly deletionGracePeriodSeconds?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly ownerReferences?: readonly Readonly<Record<string, unknown>>[];
  readonly finalizers?: readonly string[];
  readonly managedFields?: readonly unknown[];
}

/** Which object. */
export interface ObjectKey {
  readonly namespace?: string;
  readonly name: string;
}

/** What every call may be given. */
export interface CallOptions {
  /** Ends the call: it is then rejected with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** How a list says which version of the world it wants. */
export type ResourceVersionMatch = 'Exact' | 'NotOlderThan';

/** Which objects of a resource. */
export interface Selection {
  /** Absent: all namespaces. */
  readonly namespace?: string;
  /** As in the API: "app=web,tier!=front". */
  readonly labelSelector?: string;
  /** As in the API: "metadata.name=web". */
  readonly fieldSelector?: string;
}

export interface GetOptions extends CallOptions {
  readonly resourceVersion?: string;
}

export interface ListOptions extends CallOptions, Selection {
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: ResourceVersionMatch;
  /** How many objects a page may hold. */
  readonly limit?: number;
  /** The token of the page before, for the next one of the same snapshot. */
  readonly continue?: string;
}

export interface ObjectList {
  readonly items: readonly ApiObject[];
  readonly metadata: {
    readonly resourceVersion: string;
    readonly continue?: string;
    readonly remainingItemCount?: number;
  };
}

export interface WatchOptions extends CallOptions, Selection {
  /** Where to start: after this version. Absent or "0": wherever the server likes, objects that are there first. */
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: ResourceVersionMatch;
  readonly allowWatchBookmarks?: boolean;
  /** Asks for all objects first, then a bookmark annotated k8s.io/initial-events-end, then changes. */
  readonly sendInitialEvents?: boolean;
  /** After how many seconds the server ends the watch. */
  readonly timeoutSeconds?: number;
}

export type WatchEvent =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: ApiObject }
  | { readonly type: 'BOOKMARK'; readonly object: ApiObject };

export interface WriteOptions extends CallOptions {
  /** Says what would come of it, and writes nothing. */
  readonly dryRun?: boolean;
  readonly fieldManager?: string;
  /** What becomes of unknown fields: refused, warned of, or dropped. */
  readonly fieldValidation?: 'Strict' | 'Warn' | 'Ignore';
  /** "status", "scale", … */
  readonly subresource?: string;
}

/** The four ways to say a patch, by the names of their content types. */
export type PatchType = 'json' | 'merge' | 'strategic' | 'apply';

export interface PatchOptions extends WriteOptions {
  readonly type: PatchType;
  /** Of an apply: takes over fields that others manage. */
  readonly force?: boolean;
}

export type PropagationPolicy = 'Orphan' | 'Background' | 'Foreground';

export interface DeleteOptions extends CallOptions {
  readonly dryRun?: boolean;
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: PropagationPolicy;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
}

/** Reads objects. @throws ApiError what the server answered */
export interface Reader {
  get(resource: Resource, key: ObjectKey, options?: GetOptions): Promise<ApiObject>;
  list(resource: Resource, options?: ListOptions): Promise<ObjectList>;
}

/** Watches objects. The iteration ends where the server ends the watch, and throws an ApiError where it answers with one. */
export interface Watcher {
  watch(resource: Resource, options?: WatchOptions): AsyncIterable<WatchEvent>;
}

/** Writes objects. @throws ApiError what the server answered */
export interface Writer {
  create(resource: Resource, object: ApiObject, options?: WriteOptions): Promise<ApiObject>;
  update(resource: Resource, object: ApiObject, options?: WriteOptions): Promise<ApiObject>;
  patch(resource: Resource, key: ObjectKey, patch: unknown, options: PatchOptions): Promise<ApiObject>;
  /** Answers with the object where its deletion has only begun, else with what it was. */
  delete(resource: Resource, key: ObjectKey, options?: DeleteOptions): Promise<ApiObject>;
  deleteCollection(resource: Resource, selection?: ListOptions, options?: DeleteOptions): Promise<ObjectList>;
}

/** What a host has to supply for the controllers to run: list, watch and writes. */
export interface ClientPort extends Reader, Watcher, Writer {}

/** Names a kind of objects the way the API does: by group, version and plural. The core group is empty. */
export interface Resource {
  readonly group: string;
  readonly version: string;
  /** The plural in lower case, as it stands in paths: "endpointslices". */
  readonly plural: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

/** The apiVersion of a resource's objects: "v1", "discovery.k8s.io/v1". */
export const apiVersionOf = ({ group, version }: Resource): string => (group === '' ? version : `${group}/${version}`);

const core = (plural: string, kind: string, namespaced = true): Resource => ({ group: '', version: 'v1', plural, kind, namespaced });

/** The resources that this package itself reads and writes. */
export const resources: Readonly<
  Record<'namespaces' | 'nodes' | 'services' | 'pods' | 'endpoints' | 'events' | 'endpointSlices' | 'leases' | 'serviceCIDRs', Resource>
> = {
  namespaces: core('namespaces', 'Namespace', false),
  nodes: core('nodes', 'Node', false),
  services: core('services', 'Service'),
  pods: core('pods', 'Pod'),
  endpoints: core('endpoints', 'Endpoints'),
  events: core('events', 'Event'),
  endpointSlices: { group: 'discovery.k8s.io', version: 'v1', plural: 'endpointslices', kind: 'EndpointSlice', namespaced: true },
  leases: { group: 'coordination.k8s.io', version: 'v1', plural: 'leases', kind: 'Lease', namespaced: true },
  serviceCIDRs: { group: 'networking.k8s.io', version: 'v1', plural: 'servicecidrs', kind: 'ServiceCIDR', namespaced: false },
};
