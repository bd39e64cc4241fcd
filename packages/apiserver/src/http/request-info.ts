/**
 * The operation and target of a request, parsed from its method and path without the catalog. Mirrors `RequestInfo` (1.36,
 * apiserver/pkg/endpoints/request).
 */
export interface RequestInfo {
  /** The decoded path. Undefined if a percent sign is not followed by two hexadecimal digits. */
  readonly path: string | undefined;
  /** "api" or "apis" if the path names a version of a group; otherwise empty. */
  readonly apiPrefix: '' | 'api' | 'apis';
  /** "get", "list", "watch", "create", "update", "patch", "delete", "deletecollection"; without a resource, the method in lower case. */
  readonly verb: string;
  readonly group: string;
  readonly version: string;
  /** Undefined if the path does not name a namespace. */
  readonly namespace: string | undefined;
  /** The plural name of the resource; empty if the path does not name a resource. */
  readonly resource: string;
  /** Empty if the path is that of a collection. */
  readonly name: string;
  readonly subresource: string;
  readonly scope: '' | 'cluster' | 'namespace' | 'resource';
  /** Whether the path continues after the subresource, or contains an empty segment. */
  readonly isTooLong: boolean;
  /** Whether the path has the old form of a watch: /api/v1/watch/... */
  readonly isWatchPath: boolean;
}

/**
 * Parses the method and path of a request as they were sent. Mirrors NewRequestInfo (1.36, apiserver/pkg/endpoints/request/requestinfo.go).
 * @param isWatchQuery whether the query requests a watch; called only if the verb depends on it
 */
export function parseRequestInfo(method: string, sentPath: string, isWatchQuery: () => boolean): RequestInfo {
  const path = decodePath(sentPath);
  const parts = path?.split('/') ?? [];
  if (parts.length > 2 && parts.at(-1) === '') parts.pop();
  const apiPrefix = parts[0] === '' ? apiPrefixOf(parts) : '';
  if (apiPrefix === '') return { ...noResource, path, verb: method.toLowerCase() };
  const target = parseResource(parts, apiPrefix === 'api' ? 2 : 3);
  const info = { ...target, path, apiPrefix, group: apiPrefix === 'api' ? '' : (parts[2] as string) };
  if (target.resource === '') return { ...info, verb: method.toLowerCase(), scope: '' };
  const verb = target.isWatchPath ? 'watch' : verbOf(method, target.name !== '', isWatchQuery);
  const scope = target.name !== '' || verb === 'create' ? 'resource' : target.namespace === undefined ? 'cluster' : 'namespace';
  return { ...info, verb, scope };
}

/** Decodes percent encoding. Returns undefined if the encoding is malformed. */
function decodePath(path: string): string | undefined {
  if (!path.includes('%')) return path;
  if (/%(?![0-9a-fA-F]{2})/.test(path)) return undefined;
  return path.replace(/(?:%[0-9a-fA-F]{2})+/g, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'));
}

function apiPrefixOf(parts: readonly string[]): RequestInfo['apiPrefix'] {
  if (parts[1] === 'api') return parts.length > 2 ? 'api' : '';
  return parts[1] === 'apis' && parts.length > 3 ? 'apis' : '';
}

/** @param versionIndex the index of the version */
function parseResource(
  parts: readonly string[],
  versionIndex: number,
): Pick<RequestInfo, 'version' | 'namespace' | 'resource' | 'name' | 'subresource' | 'isTooLong' | 'isWatchPath'> {
  const isWatchPath = parts[versionIndex + 1] === 'watch' && parts.length > versionIndex + 2;
  const firstIndex = versionIndex + (isWatchPath ? 2 : 1);
  const hasNamespace = isInNamespace(parts, firstIndex);
  const resourceIndex = hasNamespace ? firstIndex + 2 : firstIndex;
  return {
    version: parts[versionIndex] as string,
    namespace: (hasNamespace && parts[firstIndex + 1]) || undefined,
    resource: parts[resourceIndex] ?? '',
    name: parts[resourceIndex + 1] ?? '',
    subresource: parts[resourceIndex + 2] ?? '',
    isTooLong: parts.length > resourceIndex + 3 || parts.some((part, i) => part === '' && i > 0 && !(hasNamespace && i === firstIndex + 1)),
    isWatchPath,
  };
}

/** Whether a path names something in a namespace, rather than the namespace itself or one of its subresources. */
const isInNamespace = (parts: readonly string[], firstIndex: number): boolean =>
  parts[firstIndex] === 'namespaces' && parts.length > firstIndex + 2 && !namespaceSubresources.includes(parts[firstIndex + 2] as string);

const namespaceSubresources: readonly string[] = ['status', 'finalize'];

function verbOf(method: string, hasName: boolean, isWatchQuery: () => boolean): string {
  if (method === 'GET' || method === 'HEAD') return hasName ? 'get' : isWatchQuery() ? 'watch' : 'list';
  if (method === 'DELETE') return hasName ? 'delete' : 'deletecollection';
  return verbs.get(method) ?? method.toLowerCase();
}

const verbs: ReadonlyMap<string, string> = new Map([
  ['POST', 'create'],
  ['PUT', 'update'],
  ['PATCH', 'patch'],
]);

const noResource: Omit<RequestInfo, 'path' | 'verb'> = {
  apiPrefix: '',
  group: '',
  version: '',
  namespace: undefined,
  resource: '',
  name: '',
  subresource: '',
  scope: '',
  isTooLong: false,
  isWatchPath: false,
};
