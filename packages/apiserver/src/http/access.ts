import type { AccessAttributes } from '../authorization/index.ts';
import { pathSegment } from '../formats/names.ts';
import { parseFieldSelector } from '../store/index.ts';
import type { HttpRequest } from './exchange.ts';
import type { RequestInfo } from './request-info.ts';

/** Returns what a request does, for the authorizer. Mirrors GetAuthorizerAttributes (apiserver/pkg/endpoints/filters/authorization.go, 1.36). */
export function createAccessAttributes(request: Pick<HttpRequest, 'info' | 'query' | 'user'>): AccessAttributes {
  const { info, user } = request;
  const { verb, path = '', group, version, resource, subresource, scope } = info;
  if (scope === '') return { user, verb, path };
  const namespace = namespaceOf(info);
  return {
    user,
    verb: resourceVerbs.has(verb) ? verb : '',
    path,
    resource,
    group,
    version,
    subresource,
    ...(namespace !== undefined && { namespace }),
    name: info.name === '' && selectableVerbs.has(verb) ? findSelectedName(request.query) : info.name,
  };
}

/** As upstream, a request for a namespace itself is a request in this namespace. */
export const namespaceOf = ({ resource, name, namespace }: RequestInfo): string | undefined =>
  namespace ?? (resource === 'namespaces' && name !== '' ? name : undefined);

const selectableVerbs: ReadonlySet<string> = new Set(['list', 'watch']);

/** The verbs of requests for resources. Other methods have no verb. */
const resourceVerbs: ReadonlySet<string> = new Set(['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch']);

/** Returns the name that the field selector requires; empty if it selects other objects too or is invalid. */
function findSelectedName(query: URLSearchParams): string {
  const parsed = parseFieldSelector(query.get('fieldSelector') ?? '');
  if (parsed.problem !== undefined) return '';
  const name = parsed.requirements.find(({ field, equal }) => equal && field === 'metadata.name')?.value ?? '';
  return pathSegment(name).length === 0 ? name : '';
}
