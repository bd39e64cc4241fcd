import { quote } from 'kube-endpoints/internal/apimachinery';
import { bindingsOf, type Catalog, type ServedResource, type ServedSubresource, type Verb } from '../registry/catalog.ts';
import { noSuchResource } from '../registry/index.ts';
import { badRequest, notFound } from '../store/index.ts';
import { createMethodNotAllowedError, createVerbNotSupportedError } from './errors.ts';
import { isCustom } from './kinds.ts';
import type { RequestInfo } from './request-info.ts';

export interface Target {
  readonly servedResource: ServedResource;
  readonly subresource: ServedSubresource | undefined;
  readonly verb: Verb;
}

/**
 * Finds the resource and verb of a request. Returns undefined if the path belongs to a different route.
 * @throws ApiError NotFound for an unknown resource; MethodNotAllowed for an unsupported verb; BadRequest for an invalid name
 */
export function findTarget(catalog: Catalog, info: RequestInfo, method: string): Target | undefined {
  if (isGroupVersionPath(catalog, info)) return undefined;
  const servedResource = catalog.find(info.group, info.version, info.resource) ?? findBindings(catalog, info);
  if (servedResource && isCustom(servedResource)) return findCustomTarget(servedResource, info, method);
  if (!servedResource && info.group !== '' && !catalog.all().some((each) => each.resource.group === info.group && !isCustom(each)))
    return undefined;
  if (!servedResource || (info.isTooLong && info.subresource !== 'proxy') || !isInScope(servedResource, info)) throw noSuchResource();
  return findBuiltInTarget(servedResource, info, method);
}

/** Whether a path ends with a served group version, which discovery serves. */
const isGroupVersionPath = (catalog: Catalog, { group, version, resource: plural, name }: RequestInfo): boolean =>
  plural === '' && name === '' && catalog.all().some(({ resource }) => resource.group === group && resource.version === version);

function findBuiltInTarget(servedResource: ServedResource, info: RequestInfo, method: string): Target {
  const subresource = findSubresource(servedResource, info);
  if (subresource === 'unknown') throw noSuchResource();
  const verb = verbOf(info, method);
  const isAllNamespaces = servedResource.resource.namespaced && info.namespace === undefined;
  if (!subresource && !hasPath(servedResource, info, isAllNamespaces)) throw noSuchResource();
  const verbs = info.isWatchPath ? watchPathVerbs : (subresource?.verbs ?? servedResource.verbs);
  if (!verb || !(verbs.includes(verb) || (verb === 'list' && verbs.includes('watch'))) || (isAllNamespaces && verb !== 'list')) {
    throw createMethodNotAllowedError();
  }
  requireValidName(info);
  return { servedResource, subresource, verb };
}

/** Reviews, which support only create, have no paths of single objects or of all namespaces. */
const hasPath = ({ verbs }: ServedResource, { name }: RequestInfo, isAllNamespaces: boolean): boolean =>
  (name === '' && !isAllNamespaces) || verbs.some((verb) => verb !== 'create');

/** Finds the target of a request for a custom resource, as upstream less strictly than for a built-in resource. */
function findCustomTarget(servedResource: ServedResource, info: RequestInfo, method: string): Target | undefined {
  const { resource } = servedResource;
  const verb = verbOf({ ...info, name: method === 'POST' && info.subresource === '' ? '' : info.name }, method === 'HEAD' ? 'GET' : method);
  const isAllNamespaces = resource.namespaced && info.namespace === undefined;
  if (isAllNamespaces && !allNamespacesVerbs.includes(verb ?? '')) return undefined;
  if (!resource.namespaced && info.namespace !== undefined) return undefined;
  const subresource = findSubresource(servedResource, info);
  if (subresource === 'unknown') throw notFound(resource, info.name);
  const requiresName = ['update', 'patch'].includes(verbByMethod[method] ?? '');
  if (!verb && requiresName && info.name === '') throw badRequest('name must be provided');
  const verbs = subresource?.verbs ?? servedResource.verbs;
  if (!verb || !(verbs.includes(verb) || (verb === 'list' && verbs.includes('watch'))))
    throw createVerbNotSupportedError(servedResource.resource, verbByMethod[method] ?? '');
  requireValidName(info);
  return { servedResource, subresource, verb };
}

const allNamespacesVerbs: readonly string[] = ['list', 'deletecollection'];
const watchPathVerbs: readonly Verb[] = ['get', 'list'];

/** Finds Bindings, which can also be created at the path bindings, without a pod. */
function findBindings(catalog: Catalog, { group, version, resource: plural }: RequestInfo): ServedResource | undefined {
  return group === '' && version === 'v1' && plural === 'bindings' ? bindingsOf(catalog) : undefined;
}

/** Namespaced resources require a namespace, except for lists; cluster-scoped resources must not have a namespace. */
function isInScope({ resource: { namespaced } }: ServedResource, { namespace, name }: RequestInfo): boolean {
  return namespaced ? namespace !== undefined || name === '' : namespace === undefined;
}

function findSubresource(
  { subresources }: ServedResource,
  { subresource, isWatchPath }: RequestInfo,
): ServedSubresource | undefined | 'unknown' {
  if (subresource === '') return undefined;
  return (isWatchPath ? undefined : subresources.find(({ name }) => name === subresource)) ?? 'unknown';
}

/** A watch path with a name is a list of one object. */
function verbOf({ name, subresource, isWatchPath }: RequestInfo, method: string): Verb | undefined {
  if (isWatchPath) return method === 'GET' ? 'list' : undefined;
  const verbs = name === '' ? collectionVerbs : subresource === '' ? objectVerbs : subresourceVerbs;
  return Object.hasOwn(verbs, method) ? verbs[method] : undefined;
}

const collectionVerbs: Readonly<Record<string, Verb>> = { GET: 'list', POST: 'create', DELETE: 'deletecollection' };
const objectVerbs: Readonly<Record<string, Verb>> = { GET: 'get', PUT: 'update', PATCH: 'patch', DELETE: 'delete' };
const subresourceVerbs: Readonly<Record<string, Verb>> = { ...objectVerbs, POST: 'create' };
const verbByMethod: Readonly<Record<string, string>> = subresourceVerbs;

function requireValidName({ name }: RequestInfo): void {
  const problems = [
    ...(name === '.' || name === '..' ? [`may not be '${name}'`] : []),
    ...(name.includes('/') ? ["may not contain '/'"] : []),
    ...(name.includes('%') ? ["may not contain '%'"] : []),
  ];
  if (problems.length > 0) throw badRequest(`Name parameter invalid: ${quote(name)}: ${problems.join(';')}`);
}
