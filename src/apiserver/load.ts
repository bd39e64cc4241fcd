import { ApiError, type ApiObject, apiVersionOf, hasReason, type ObjectKey, type Resource, resources, type Status } from '../port/index.ts';
import type { Catalog, ServedResource } from './catalog.ts';
import { failure } from './failure.ts';
import { LoadError } from './load-error.ts';
import type { Registry } from './registry/index.ts';

/**
 * Stores objects as if they had always been there: status, uid and time of creation are kept where they are given, what was on its way
 * out is so again, namespaces that they are in are made. Where one cannot be stored, those before it are.
 *
 * @param served is asked to wait until what a CustomResourceDefinition defines is served
 * @throws LoadError
 */
export async function load(
  { registry, catalog, served }: { readonly registry: Registry; readonly catalog: Catalog; served(): Promise<void> },
  objects: readonly ApiObject[],
): Promise<void> {
  for (const object of [...objects].sort((a, b) => rankOf(a) - rankOf(b))) {
    try {
      await loadOne(registry, resourceOf(catalog, object), object);
    } catch (error) {
      throw error instanceof ApiError ? naming(object, error.status) : error;
    }
    if (object.kind === definition) await served();
  }
}

async function loadOne(registry: Registry, { resource, subresources }: ServedResource, object: ApiObject): Promise<void> {
  const { namespace: given, name = '', uid, creationTimestamp } = object.metadata;
  const namespace = resource.namespaced ? given || 'default' : undefined;
  if (namespace) await ensureNamespace(registry, namespace);
  const { resourceVersion: _, managedFields: __, ...metadata } = object.metadata;
  const key: ObjectKey = namespace ? { namespace, name } : { name };
  const kept = { ...(uid && { uid }), ...(creationTimestamp && { creationTimestamp }) };
  try {
    await registry.create(resource, namespace, { ...object, metadata }, { kept });
  } catch (error) {
    if (!isBootstrapped(resource.kind, key) || !hasReason(error, 'AlreadyExists')) throw error;
  }
  const { status } = object;
  if (status !== undefined && subresources.some((each) => each.name === 'status')) {
    await registry.update(resource, key, (current) => ({ ...(current as ApiObject), status }), { subresource: 'status' });
  }
  if (isLeaving(object)) await leaveAgain(registry, resource, key, object);
}

/** Whether an object is on its way out, and something holds it back: time to end, or finalizers. Any other would be gone at once. */
const isLeaving = ({ kind, metadata: { deletionTimestamp, finalizers = [] } }: ApiObject): boolean =>
  deletionTimestamp !== undefined && (kind === 'Pod' || finalizers.length > 0);

/** Its time to end begins anew. */
async function leaveAgain(registry: Registry, resource: Resource, key: ObjectKey, { kind, metadata }: ApiObject): Promise<void> {
  const { deletionGracePeriodSeconds = leastGrace } = metadata;
  await registry.delete(resource, key, kind === 'Pod' ? { gracePeriodSeconds: Math.max(leastGrace, deletionGracePeriodSeconds) } : {});
}

/** Seconds. With none, a pod would be gone. */
const leastGrace = 1;

async function ensureNamespace(registry: Registry, name: string): Promise<void> {
  try {
    await registry.create(resources.namespaces, undefined, { metadata: { name } });
  } catch (error) {
    if (!hasReason(error, 'AlreadyExists')) throw error;
  }
}

/** @throws ApiError NotFound where nothing of the kind is served */
function resourceOf(catalog: Catalog, { apiVersion, kind }: ApiObject): ServedResource {
  const found = catalog.all().find(({ resource }) => resource.kind === kind && apiVersionOf(resource) === apiVersion);
  if (found) return found;
  const message = `no resource of this kind and version is served: load its ${definition} first, or describe it in "resources"`;
  throw failure(404, 'NotFound', message);
}

function naming(object: ApiObject, status: Status): LoadError {
  const { apiVersion, kind, metadata } = object;
  const { namespace, name = metadata?.generateName ?? '' } = metadata ?? {};
  const what = `${kind ?? 'object without a kind'} (${apiVersion ?? 'no apiVersion'}) ${namespace ? `${namespace}/` : ''}${name}`;
  return new LoadError({ ...status, message: `${what}: ${status.message}` }, object);
}

const definition = 'CustomResourceDefinition';

/** What others refer to comes first; then Services that ask for an address, before others are given one by chance. */
function rankOf({ kind, spec }: ApiObject): number {
  const order = ['Namespace', definition, 'Node'].indexOf(kind ?? '');
  if (order >= 0) return order;
  if (kind !== 'Service') return 5;
  return (spec as { readonly clusterIP?: string } | undefined)?.clusterIP ? 3 : 4;
}

/** A fresh cluster has these already. */
const isBootstrapped = (kind: string, { namespace, name }: ObjectKey): boolean =>
  kind === 'Namespace' || (kind === 'Service' && namespace === 'default' && name === 'kubernetes');
