/** Any API object: the common fields are typed, all others pass through unchanged. */
export interface ApiObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: ApiObjectMeta;
  readonly [field: string]: unknown;
}

/** The fields of `metav1.ObjectMeta` that every implementation of the port understands. */
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

/** Identifies an object within a resource. */
export interface ObjectKey {
  readonly namespace?: string;
  readonly name: string;
}

/** Options of every call. */
export interface CallOptions {
  /** Aborts the call, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** How a list interprets its resourceVersion. */
export type ResourceVersionMatch = 'Exact' | 'NotOlderThan';

/** Selects objects of a resource. */
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
  /** Maximum number of objects per page. */
  readonly limit?: number;
  /** The `continue` token of the previous page of the same list. */
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
  /** Starts after this version. If absent or "0", the server chooses the start and sends existing objects first. */
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: ResourceVersionMatch;
  readonly allowWatchBookmarks?: boolean;
  /** Requests all existing objects first, then a bookmark annotated k8s.io/initial-events-end, then changes. */
  readonly sendInitialEvents?: boolean;
  /** Seconds after which the server ends the watch. */
  readonly timeoutSeconds?: number;
}

export type WatchEvent =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: ApiObject }
  | { readonly type: 'BOOKMARK'; readonly object: ApiObject };

export interface WriteOptions extends CallOptions {
  /** Returns the result of the write without storing it. */
  readonly dryRun?: boolean;
  readonly fieldManager?: string;
  /** Unknown fields are rejected (Strict), reported as warnings (Warn) or dropped silently (Ignore). */
  readonly fieldValidation?: 'Strict' | 'Warn' | 'Ignore';
  /** "status", "scale", … */
  readonly subresource?: string;
}

/** The four patch formats of the API, named after their content types. */
export type PatchType = 'json' | 'merge' | 'strategic' | 'apply';

export interface PatchOptions extends WriteOptions {
  readonly type: PatchType;
  /** For apply only: takes ownership of fields that other managers own. */
  readonly force?: boolean;
}

export type PropagationPolicy = 'Orphan' | 'Background' | 'Foreground';

export interface DeleteOptions extends CallOptions {
  readonly dryRun?: boolean;
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: PropagationPolicy;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
}

/** Reads objects. @throws ApiError if the server answers with a failure */
export interface Reader {
  get(resource: Resource, key: ObjectKey, options?: GetOptions): Promise<ApiObject>;
  list(resource: Resource, options?: ListOptions): Promise<ObjectList>;
}

/** Watches objects. The iteration ends when the server ends the watch. @throws ApiError if the server answers with a failure */
export interface Watcher {
  watch(resource: Resource, options?: WatchOptions): AsyncIterable<WatchEvent>;
}

/** Writes objects. @throws ApiError if the server answers with a failure */
export interface Writer {
  create(resource: Resource, object: ApiObject, options?: WriteOptions): Promise<ApiObject>;
  update(resource: Resource, object: ApiObject, options?: WriteOptions): Promise<ApiObject>;
  patch(resource: Resource, key: ObjectKey, patch: unknown, options: PatchOptions): Promise<ApiObject>;
  /** Returns the object with its deletionTimestamp if finalizers or a grace period delay its removal, else its last state. */
  delete(resource: Resource, key: ObjectKey, options?: DeleteOptions): Promise<ApiObject>;
  deleteCollection(resource: Resource, selection?: ListOptions, options?: DeleteOptions): Promise<ObjectList>;
}

/** What the controllers need to run: reads, watches and writes. */
export interface ClientPort extends Reader, Watcher, Writer {}

/** A kind of object, named as in the API: group, version and plural. The core group is the empty string. */
export interface Resource {
  readonly group: string;
  readonly version: string;
  /** The lower-case plural used in paths: "endpointslices". */
  readonly plural: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

/** The apiVersion of a resource's objects: "v1", "discovery.k8s.io/v1". */
export const apiVersionOf = ({ group, version }: Pick<Resource, 'group' | 'version'>): string =>
  group === '' ? version : `${group}/${version}`;

/** Splits the apiVersion of an object; the group of "v1" is empty. */
export function parseApiVersion(apiVersion: string): Pick<Resource, 'group' | 'version'> {
  const slash = apiVersion.indexOf('/');
  return { group: apiVersion.slice(0, Math.max(slash, 0)), version: apiVersion.slice(slash + 1) };
}

const core = (plural: string, kind: string, namespaced = true): Resource => ({ group: '', version: 'v1', plural, kind, namespaced });

/** The resources that this package reads and writes. */
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
