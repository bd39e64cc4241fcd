import type { DeleteOptions, ListOptions, ObjectKey, PatchOptions, Resource, WatchOptions, WriteOptions } from 'kube-endpoints/port';

/** Builds the URL paths of one server. The part that all objects of a resource share is cached. */
export interface Paths {
  collection(resource: Resource, namespace: string | undefined): string;
  /** @throws RangeError if the key lacks a name or a required namespace, because the path would address the whole collection */
  object(resource: Resource, key: ObjectKey, subresource?: string): string;
}

/** @param prefix the path of the server, without a trailing slash */
export function createPaths(prefix: string): Paths {
  const roots = new WeakMap<Resource, string>();
  const rootOf = (resource: Resource): string => {
    const cachedRoot = roots.get(resource);
    if (cachedRoot !== undefined) return cachedRoot;
    const { group, version } = resource;
    const root = `${prefix}${group === '' ? '/api' : `/apis/${escapeSegment(group)}`}/${escapeSegment(version)}`;
    roots.set(resource, root);
    return root;
  };
  const collection: Paths['collection'] = (resource, namespace) =>
    resource.namespaced && namespace
      ? `${rootOf(resource)}/namespaces/${escapeSegment(namespace)}/${resource.plural}`
      : `${rootOf(resource)}/${resource.plural}`;
  return {
    collection,
    object(resource, { namespace, name }, subresource) {
      if (!name) throw new RangeError(`${resource.plural}: the object has no name`);
      if (resource.namespaced && !namespace)
        throw new RangeError(`${resource.plural} ${JSON.stringify(name)}: the object has no namespace`);
      const path = `${collection(resource, namespace)}/${escapeSegment(name)}`;
      return subresource === undefined ? path : `${path}/${subresource.split('/').map(escapeSegment).join('/')}`;
    },
  };
}

/** Formats the query of a list, including its question mark; empty if no option is set. */
export function createListQuery(options: ListOptions): string {
  return formatQuery([
    ['labelSelector', options.labelSelector],
    ['fieldSelector', options.fieldSelector],
    ['resourceVersion', options.resourceVersion],
    ['resourceVersionMatch', options.resourceVersionMatch],
    ['limit', options.limit],
    ['continue', options.continue],
  ]);
}

export function createWatchQuery(options: WatchOptions): string {
  return formatQuery([
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

export function createGetQuery(resourceVersion: string | undefined): string {
  return resourceVersion === undefined ? '' : formatQuery([['resourceVersion', resourceVersion]]);
}

export function createWriteQuery({ dryRun, fieldManager, fieldValidation, ...options }: WriteOptions & Partial<PatchOptions>): string {
  return formatQuery([
    ['dryRun', dryRun ? 'All' : undefined],
    ['fieldManager', fieldManager],
    ['fieldValidation', fieldValidation],
    ['force', options.type === 'apply' ? options.force : undefined],
  ]);
}

/** Creates a `metav1.DeleteOptions`; undefined if no option is set. */
export function createDeleteBody({ dryRun, gracePeriodSeconds, propagationPolicy, preconditions }: DeleteOptions): object | undefined {
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

function formatQuery(parameters: readonly (readonly [string, string | number | boolean | undefined])[]): string {
  let text = '';
  for (const [name, value] of parameters) {
    if (value !== undefined) text += `${text === '' ? '?' : '&'}${name}=${encodeURIComponent(value)}`;
  }
  return text;
}

/**
 * Escapes a path segment.
 * @throws RangeError for "." and "..", because servers and proxies resolve them, so that a name could address another path
 */
function escapeSegment(text: string): string {
  if (safeCharacters.test(text)) {
    if (text === '.' || text === '..') throw new RangeError(`${JSON.stringify(text)} is not allowed in a path`);
    return text;
  }
  return encodeURIComponent(text);
}

const safeCharacters = /^[\w.-]+$/;
