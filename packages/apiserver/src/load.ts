import { apiVersionOf } from 'kube-endpoints/internal/apimachinery';
import { ApiError, type ApiObject, hasReason, type ObjectKey, type Resource, resources, type Status } from 'kube-endpoints/port';
import type { Catalog, ServedResource } from './registry/catalog.ts';
import type { Registry } from './registry/index.ts';
import { failure } from './store/errors.ts';
import { isFields } from './store/fields.ts';

export interface LoadOptions {
  /** Receives the warnings of the server, for example for unknown fields, which are dropped. */
  readonly warn?: (warning: string, object: ApiObject) => void;
  /** Called for each object whose kind is not served; the object is skipped. Without this callback, `load` throws. */
  readonly skip?: (object: ApiObject) => void;
}

interface LoadContext {
  readonly registry: Registry;
  readonly catalog: Catalog;
  /** Waits until the resources of all CustomResourceDefinitions are served. */
  waitUntilServed(): Promise<void>;
}

/**
 * Stores objects as they would be in an existing cluster: keeps given status, uid and creationTimestamp, restores pending deletions and
 * creates missing namespaces. An existing Namespace and the kubernetes Service get the labels, annotations and finalizers of the loaded
 * object. Records no managedFields. Objects stored before a failure stay.
 *
 * @throws LoadError if an object is refused
 */
export async function load(
  { registry, catalog, waitUntilServed }: LoadContext,
  objects: readonly ApiObject[],
  options: LoadOptions = {},
): Promise<void> {
  for (const object of objects) checkHasMetadata(object);
  for (const object of [...objects].sort((a, b) => loadRankOf(a) - loadRankOf(b))) {
    const resource = findServedResource(catalog, object);
    if (!resource && options.skip) {
      options.skip(object);
      continue;
    }
    try {
      await loadObject(registry, resource ?? throwNotServed(object), object, options);
    } catch (error) {
      throw error instanceof ApiError ? createLoadError(object, error.status) : error;
    }
    if (object.kind === definitionKind) await waitUntilServed();
  }
}

/** @throws LoadError if `object` is not an object with metadata */
function checkHasMetadata(object: ApiObject): void {
  if (isFields(object) && isFields(object.metadata)) return;
  const problem = isFields(object) ? 'an object without metadata: give metadata.name' : 'not an object: give apiVersion, kind and metadata';
  throw createLoadError(object, failure(400, 'BadRequest', problem).status);
}

async function loadObject(
  registry: Registry,
  { resource, subresources }: ServedResource,
  object: ApiObject,
  { warn }: LoadOptions,
): Promise<void> {
  const { namespace: requestedNamespace, name = '', uid, creationTimestamp } = object.metadata;
  const namespace = resource.namespaced ? requestedNamespace || 'default' : undefined;
  if (namespace) await ensureNamespace(registry, namespace);
  const { resourceVersion: _, managedFields: __, ...metadata } = object.metadata;
  const key: ObjectKey = namespace ? { namespace, name } : { name };
  const preservedMetadata = { ...(uid && { uid }), ...(creationTimestamp && { creationTimestamp }) };
  const writeOptions = { managesFields: false, ...(warn && { warn: (warning: string) => warn(warning, object) }) };
  try {
    await registry.create(resource, namespace, { ...object, metadata }, { preservedMetadata, ...writeOptions });
  } catch (error) {
    const merge = hasReason(error, 'AlreadyExists') ? mergeOf(resource, key, registry.store.find(resource, key)) : undefined;
    if (!merge) throw error;
    await registry.update(resource, key, (current) => merge(current as ApiObject, object), writeOptions);
  }
  const { status } = object;
  if (status !== undefined && subresources.some((each) => each.name === 'status')) {
    await registry.update(resource, key, (current) => ({ ...(current as ApiObject), status }), {
      subresource: 'status',
      managesFields: false,
    });
  }
  if (isTerminating(object)) await restartDeletion(registry, resource, key, object);
}

type Merge = (current: ApiObject, loaded: ApiObject) => ApiObject;

/** Returns how a loaded object is merged into an object of a new cluster; undefined if the object must not exist yet. */
function mergeOf({ kind }: Resource, key: ObjectKey, existing: ApiObject | undefined): Merge | undefined {
  if (mayAlreadyExist(kind, key)) return mergeMetadata;
  const isBootstrapRole = existing?.metadata.labels?.['kubernetes.io/bootstrapping'] === 'rbac-defaults';
  return isBootstrapRole ? replaceContent : undefined;
}

/** Replaces everything but the identity of the existing object. */
const replaceContent: Merge = ({ metadata: { resourceVersion, uid, creationTimestamp } }, loaded) => ({
  ...loaded,
  metadata: {
    ...loaded.metadata,
    ...(resourceVersion !== undefined && { resourceVersion }),
    ...(uid !== undefined && { uid }),
    ...(creationTimestamp !== undefined && { creationTimestamp }),
  },
});

/** Adds labels and annotations to the existing object, and replaces its finalizers if the loaded object has any. */
function mergeMetadata(current: ApiObject, { metadata: { labels, annotations, finalizers } }: ApiObject): ApiObject {
  const { metadata } = current;
  return {
    ...current,
    metadata: {
      ...metadata,
      labels: { ...metadata.labels, ...labels },
      annotations: { ...metadata.annotations, ...annotations },
      ...(finalizers && { finalizers }),
    },
  };
}

/** True if the object is being deleted, and a grace period or finalizers delay its removal. */
const isTerminating = ({ kind, metadata: { deletionTimestamp, finalizers = [] } }: ApiObject): boolean =>
  deletionTimestamp !== undefined && (kind === 'Pod' || finalizers.length > 0);

/** Deletes the object again; its grace period starts over. */
async function restartDeletion(registry: Registry, resource: Resource, key: ObjectKey, { kind, metadata }: ApiObject): Promise<void> {
  const { deletionGracePeriodSeconds = minGraceSeconds } = metadata;
  await registry.delete(resource, key, kind === 'Pod' ? { gracePeriodSeconds: Math.max(minGraceSeconds, deletionGracePeriodSeconds) } : {});
}

/** In seconds. A grace period of 0 would remove the pod at once. */
const minGraceSeconds = 1;

async function ensureNamespace(registry: Registry, name: string): Promise<void> {
  try {
    await registry.create(resources.namespaces, undefined, { metadata: { name } }, { managesFields: false });
  } catch (error) {
    if (!hasReason(error, 'AlreadyExists')) throw error;
  }
}

const findServedResource = (catalog: Catalog, { apiVersion, kind }: ApiObject): ServedResource | undefined =>
  catalog.all().find(({ resource }) => resource.kind === kind && apiVersionOf(resource) === apiVersion);

/** @throws ApiError NotFound */
function throwNotServed({ kind, items }: ApiObject & { readonly items?: unknown }): never {
  const hint =
    Array.isArray(items) && kind?.endsWith('List')
      ? 'give its items'
      : `leave it out, load its ${definitionKind} first, or describe it in "resources"`;
  throw failure(404, 'NotFound', `no resource of this kind and version is served: ${hint}`);
}

function createLoadError(object: ApiObject, status: Status): LoadError {
  const { apiVersion, kind, metadata } = (object ?? {}) as Partial<ApiObject>;
  const { namespace, name = metadata?.generateName ?? '' } = metadata ?? {};
  const subject = `${kind ?? 'object without a kind'} (${apiVersion ?? 'no apiVersion'}) ${namespace ? `${namespace}/` : ''}${name}`;
  return new LoadError({ ...status, message: `${subject}: ${status.message}` }, object);
}

const definitionKind = 'CustomResourceDefinition';

/**
 * Returns the position of an object in the loading order: Namespaces, CustomResourceDefinitions and Nodes first, then Services. Services
 * that request an address or a port come before Services that get one at random.
 */
function loadRankOf({ kind, spec }: ApiObject): number {
  const order = ['Namespace', definitionKind, 'Node'].indexOf(kind ?? '');
  if (order >= 0) return order;
  if (kind !== 'Service') return 5;
  return requestsAllocation((spec ?? {}) as AllocationRequest) ? 3 : 4;
}

interface AllocationRequest {
  readonly clusterIP?: string | null;
  readonly clusterIPs?: readonly string[] | null;
  readonly healthCheckNodePort?: number | null;
  readonly ports?: readonly ({ readonly nodePort?: number | null } | null)[] | null;
}

const requestsAllocation = ({ clusterIP, clusterIPs, healthCheckNodePort, ports }: AllocationRequest): boolean =>
  Boolean(clusterIP || clusterIPs?.length || healthCheckNodePort) || (Array.isArray(ports) && ports.some((port) => port?.nodePort));

/** True for Namespaces, which `ensureNamespace` creates too, and for the kubernetes Service. */
const mayAlreadyExist = (kind: string, { namespace, name }: ObjectKey): boolean =>
  kind === 'Namespace' || (kind === 'Service' && namespace === 'default' && name === 'kubernetes');

/** An object that could not be loaded; the message begins with its kind and name. */
export class LoadError extends ApiError {
  /** The object as passed in. */
  readonly object: ApiObject;

  constructor(status: Status, object: ApiObject) {
    super(status);
    this.name = 'LoadError';
    this.object = object;
  }
}
