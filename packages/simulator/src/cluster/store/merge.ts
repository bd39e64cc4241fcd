import type { ApiObject } from 'kube-endpoints/port';

/** The stored object with the status of the wanted one, and for a Deployment, with its annotations, as its strategy allows. */
export function withStatusOf(stored: ApiObject, wanted: ApiObject): ApiObject {
  const status = prune(wanted['status']);
  if (stored.kind !== 'Deployment') return { ...stored, status };
  const { annotations: _, ...metadata } = stored.metadata;
  const { annotations } = wanted.metadata;
  return { ...stored, metadata: { ...metadata, ...(annotations && { annotations }) }, status };
}

/** The wanted object with the status and the system's metadata of the stored one. */
export function withSpecOf(stored: ApiObject, wanted: ApiObject): ApiObject {
  const { uid, creationTimestamp, deletionTimestamp, deletionGracePeriodSeconds, generation, resourceVersion } = stored.metadata;
  const system = { uid, creationTimestamp, deletionTimestamp, deletionGracePeriodSeconds, generation, resourceVersion };
  const { apiVersion, kind } = stored;
  return { ...wanted, apiVersion, kind, metadata: { ...wanted.metadata, ...system }, status: stored['status'] } as ApiObject;
}

/** A copy without null, undefined, and empty fields of metadata, as Go encodes objects. Unchanged parts are shared. */
export function prune(value: unknown): unknown {
  if (Array.isArray(value)) {
    const pruned = value.map(prune);
    return pruned.every((item, i) => item === value[i]) ? value : pruned;
  }
  if (value === null || typeof value !== 'object') return value;
  let isChanged = false;
  const result: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(value)) {
    const pruned = prune(field);
    if (pruned === null || pruned === undefined || (omittedIfEmpty.has(name) && isEmpty(pruned))) isChanged = true;
    else {
      isChanged ||= pruned !== field;
      result[name] = pruned;
    }
  }
  return isChanged ? result : value;
}

const omittedIfEmpty: ReadonlySet<string> = new Set(['ownerReferences', 'finalizers', 'labels', 'annotations', 'conditions', 'status']);

const isEmpty = (value: unknown): boolean => typeof value === 'object' && value !== null && Object.keys(value).length === 0;
