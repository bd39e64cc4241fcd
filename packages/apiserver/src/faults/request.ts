import type { HttpRequest } from '../http/exchange.ts';
import { decodePath, requestInfoOf } from '../http/request-info.ts';
import type { Verb } from '../registry/catalog.ts';
import type { Call } from './call.ts';

/** The call that a request is; nothing where it is not about a resource. */
export function callOfRequest(request: Pick<HttpRequest, 'method' | 'path' | 'query'>): Call | undefined {
  const { path } = request;
  const decoded = decodePath(path);
  const info = decoded === undefined ? undefined : requestInfoOf(decoded);
  if (!info || info.plural === '') return undefined;
  const { group, plural, namespace, name, subresource } = info;
  const verb = info.watch ? 'watch' : verbOf(request, name === '');
  if (verb === undefined) return undefined;
  return {
    verb,
    resource: { group, plural },
    namespace,
    name,
    subresource: subresource === '' ? undefined : subresource,
    ...(verb === 'watch' && { resourceVersion: request.query.get('resourceVersion') ?? undefined }),
  };
}

function verbOf(request: Pick<HttpRequest, 'method' | 'query'>, ofAll: boolean): Verb | undefined {
  const { method } = request;
  if (method !== 'GET' && method !== 'HEAD') return (ofAll ? ofCollections : ofObjects)[method] ?? ofObjects[method];
  if (!ofAll) return 'get';
  const watch = request.query.get('watch');
  return watch === null || ['false', '0'].includes(watch.toLowerCase()) ? 'list' : 'watch';
}

const ofObjects: Readonly<Record<string, Verb | undefined>> = { POST: 'create', PUT: 'update', PATCH: 'patch', DELETE: 'delete' };
const ofCollections: Readonly<Record<string, Verb | undefined>> = { DELETE: 'deletecollection' };
