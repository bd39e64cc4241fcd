import { requestInfoOf } from '../http/request-info.ts';

/** What a path and a method say of a request: `RequestInfo` (apiserver/pkg/endpoints/request, 1.36). */
export interface RequestInfo {
  /** "get", "list", "watch", "create", "update", "patch", "delete", "deletecollection"; the method where no resource is meant. */
  readonly verb: string;
  /** Empty where no resource is meant. */
  readonly resource: string;
  readonly group: string;
  readonly version: string;
  readonly subresource: string;
  readonly scope: '' | 'cluster' | 'namespace' | 'resource';
}

/** @param watches whether the query asks for a watch; looked at only where it matters */
export function requestInfo(method: string, path: string, watches: () => boolean): RequestInfo {
  const parts = requestInfoOf(path);
  if (!parts?.plural) return notOfAResource(method);
  const { group, version, plural: resource, name, namespace, subresource, watch } = parts;
  const verb = watch ? 'watch' : verbOf(method, name !== '', watches);
  const scope = name !== '' || verb === 'create' ? 'resource' : namespace === undefined ? 'cluster' : 'namespace';
  return { verb, group, version, resource, subresource, scope };
}

function verbOf(method: string, named: boolean, watches: () => boolean): string {
  if (method === 'GET' || method === 'HEAD') return named ? 'get' : watches() ? 'watch' : 'list';
  if (method === 'DELETE') return named ? 'delete' : 'deletecollection';
  return verbs.get(method) ?? method.toLowerCase();
}

const notOfAResource = (method: string): RequestInfo => ({
  verb: method.toLowerCase(),
  resource: '',
  group: '',
  version: '',
  subresource: '',
  scope: '',
});

const verbs: ReadonlyMap<string, string> = new Map([
  ['POST', 'create'],
  ['PUT', 'update'],
  ['PATCH', 'patch'],
]);
