import type { DeleteOptions, ListOptions, ObjectKey, PatchOptions, Resource, WatchOptions, WriteOptions } from 'kube-endpoints/port';

/** The paths of one server. What is the same for all objects of a resource is put together once. */
export interface Paths {
  collection(resource: Resource, namespace: string | undefined): string;
  /** @throws RangeError where the key names no object: its path would be that of all */
  object(resource: Resource, key: ObjectKey, subresource?: string): string;
}

/** @param prefix the path under which the server is reached, without a slash at its end */
export function createPaths(prefix: string): Paths {
  const roots = new WeakMap<Resource, string>();
  const rootOf = (resource: Resource): string => {
    const known = roots.get(resource);
    if (known !== undefined) return known;
    const { group, version } = resource;
    const root = `${prefix}${group === '' ? '/api' : `/apis/${segment(group)}`}/${segment(version)}`;
    roots.set(resource, root);
    return root;
  };
  const collection: Paths['collection'] = (resource, namespace) =>
    resource.namespaced && namespace
      ? `${rootOf(resource)}/namespaces/${segment(namespace)}/${resource.plural}`
      : `${rootOf(resource)}/${resource.plural}`;
  return {
    collection,
    object(resource, { namespace, name }, subresource) {
      if (!name) throw new RangeError(`${resource.plural}: the object has no name`);
      if (resource.namespaced && !namespace)
        throw new RangeError(`${resource.plural} ${JSON.stringify(name)}: the object has no namespace`);
      const path = `${collection(resource, namespace)}/${segment(name)}`;
      return subresource === undefined ? path : `${path}/${subresource.split('/').map(segment).join('/')}`;
    },
  };
}

/** The query of a list, with its question mark; empty where nothing is asked for. */
export function listQuery(options: ListOptions): string {
  return query([
    ['labelSelector', options.labelSelector],
    ['fieldSelector', options.fieldSelector],
    ['resourceVersion', options.resourceVersion],
    ['resourceVersionMatch', options.resourceVersionMatch],
    ['limit', options.limit],
    ['continue', options.continue],
  ]);
}

export function watchQuery(options: WatchOptions): string {
  return query([
    ['watch', true],
    ['labelSelector', options.labelSelector],
    ['fieldSelector', options.fieldSelector],
    ['resourceVersion', options.resourceVersion],
    ['resourceVersionMatch', options.resourceVersionMatch],
    ['allowWatchBookmarks', options.allowWatchBookmarks || undefined],
    ['sendInitialEvents', options.sendInitialEvents],
    ['timeoutSeconds', options.timeoutSeconds],
  ]);
}

export function getQuery(resourceVersion: string | undefined): string {
  return resourceVersion === undefined ? '' : query([['resourceVersion', resourceVersion]]);
}

export function writeQuery({ dryRun, fieldManager, fieldValidation, ...options }: WriteOptions & Partial<PatchOptions>): string {
  return query([
    ['dryRun', dryRun ? 'All' : undefined],
    ['fieldManager', fieldManager],
    ['fieldValidation', fieldValidation],
    ['force', options.type === 'apply' ? options.force : undefined],
  ]);
}

/** `metav1.DeleteOptions`; undefined where nothing is asked for. */
export function deleteBody({ dryRun, gracePeriodSeconds, propagationPolicy, preconditions }: DeleteOptions): object | undefined {
  if (!dryRun && gracePeriodSeconds === undefined && propagationPolicy === undefined && preconditions === undefined) return undefined;
  return {
    kind: 'DeleteOptions',
    apiVersion: 'v1',
    ...(dryRun && { dryRun: ['All'] }),
    gracePeriodSeconds,
    propagationPolicy,
    preconditions,
  };
}

function query(parameters: readonly (readonly [string, string | number | boolean | undefined])[]): string {
  let text = '';
  for (const [name, value] of parameters) {
    if (value !== undefined) text += `${text === '' ? '?' : '&'}${name}=${encodeURIComponent(value)}`;
  }
  return text;
}

/** Names of servers and proxies for the folder itself and the one above it could be walked by whoever chooses a name. */
function segment(text: string): string {
  if (plain.test(text)) {
    if (text === '.' || text === '..') throw new RangeError(`${JSON.stringify(text)} cannot stand in a path`);
    return text;
  }
  return encodeURIComponent(text);
}

const plain = /^[\w.-]+$/;
