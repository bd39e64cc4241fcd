import { createHash } from 'node:crypto';
import { methodNotAllowed } from '../http/errors.ts';
import type { HttpAnswer, HttpRequest, Route } from '../http/exchange.ts';
import {
  acceptedBy,
  type Clause,
  matches,
  noAcceptableOutput,
  parseAccept,
  requestsTransform,
  unknownRepresentation,
  wantsPretty,
} from '../http/negotiation.ts';
import { writeYaml } from '../http/yaml.ts';
import type { Catalog, ServedResource } from '../registry/catalog.ts';
import type { Fields } from '../store/fields.ts';
import { type GroupVersion, groupByVersion, listedResources, once } from './groups.ts';
import { createApiGroup, createApiGroupList, createApiResourceList, createApiVersions, subresourcesOf, verbsOf } from './plain.ts';

export interface DiscoveryOptions {
  readonly catalog: Catalog;
  /** Address at which clients reach the server, such as "10.0.0.1:6443". Default: the Host header of the request. */
  readonly serverAddress?: () => string;
}

/** Serves discovery: /api, /apis and the paths of groups and versions. */
export function discoveryRoutes({ catalog, serverAddress }: DiscoveryOptions): Route {
  const getPage = createPages(catalog);
  return (request) => {
    if (!discoveryPath.test(request.path)) return undefined;
    const path = request.path.endsWith('/') ? request.path.slice(0, -1) : request.path;
    const page = getPage(path);
    return page && answer(page, request, serverAddress?.() ?? request.headers['host'] ?? '');
  };
}

/** /api, /api/v1, /apis, /apis/GROUP, /apis/GROUP/VERSION. */
const discoveryPath = /^\/(?:api(?:\/[^/]+)?|apis(?:\/[^/]+){0,2})\/?$/;

interface Page {
  readonly json: (serverAddress: string) => string;
  /** The page in the form of aggregated discovery. */
  readonly aggregated?: () => Aggregated;
  /** Whether kube-apiserver's REST router handles the path: it rejects methods other than GET and media types that it does not know. */
  readonly routed: boolean;
}

interface Aggregated {
  readonly json: string;
  readonly hash: string;
}

/** The pages of a catalog by path; encoded pages are cached until the catalog changes. */
function createPages(catalog: Catalog): (path: string) => Page | undefined {
  let pages = new Map<string, Page>();
  let generation: number | undefined;
  return (path) => {
    if (generation !== catalog.generation) {
      generation = catalog.generation;
      pages = createDiscoveryPages(groupByVersion(listedResources(catalog)));
    }
    return pages.get(path);
  };
}

function createDiscoveryPages(groupVersions: readonly GroupVersion[]): Map<string, Page> {
  const pages = new Map<string, Page>();
  for (const each of groupVersions) {
    const base = each.group === '' ? '/api' : `/apis/${each.group}`;
    pages.set(`${base}/${each.version}`, { json: once(() => JSON.stringify(createApiResourceList(each))), routed: isBuiltIn(each) });
  }
  const core = groupVersions.filter(({ group }) => group === '');
  pages.set('/api', {
    json: (address) =>
      JSON.stringify(
        createApiVersions(
          address,
          core.map(({ version }) => version),
        ),
      ),
    aggregated: once(() => encodeWithHash(groupDiscoveryList(core.length > 0 ? [core] : []))),
    routed: true,
  });
  const groups = groupVersionsByGroup(groupVersions.filter(({ group }) => group !== ''));
  for (const versions of groups) {
    pages.set(`/apis/${versions[0]?.group}`, { json: once(() => JSON.stringify(createApiGroup(versions))), routed: false });
  }
  const json = once(() => JSON.stringify(createApiGroupList(groups)));
  return pages.set('/apis', { json, aggregated: once(() => encodeWithHash(groupDiscoveryList(groups))), routed: false });
}

const isBuiltIn = ({ resources }: GroupVersion): boolean => resources.some(({ schema }) => schema.struct !== undefined);

function groupVersionsByGroup(groupVersions: readonly GroupVersion[]): readonly (readonly GroupVersion[])[] {
  const groups = new Map<string, GroupVersion[]>();
  for (const each of groupVersions) {
    const existing = groups.get(each.group);
    if (existing) existing.push(each);
    else groups.set(each.group, [each]);
  }
  return [...groups.values()];
}

function encodeWithHash(value: unknown): Aggregated {
  const json = JSON.stringify(value);
  return { json, hash: createHash('sha512').update(json).digest('hex').toUpperCase() };
}

async function answer(page: Page, { method, headers, query }: HttpRequest, serverAddress: string): Promise<HttpAnswer> {
  if (page.routed && method !== 'GET') throw methodNotAllowed();
  if (page.routed && !acceptedBy(headers['accept']).isKnown) throw unknownRepresentation(false);
  const clauses = parseAccept(headers['accept']);
  const aggregated = page.aggregated && findAggregatedFormat(clauses);
  const format = aggregated ?? findPlainFormat(clauses);
  if (!format) throw noAcceptableOutput();
  const outputFormat = { ...format, pretty: format.pretty || wantsPretty(query, headers['user-agent']) };
  if (aggregated && page.aggregated) return answerWithETag(page.aggregated(), outputFormat, headers['if-none-match']);
  return { code: 200, headers: { 'Content-Type': contentType(format) }, body: await encode(page.json(serverAddress), outputFormat) };
}

async function answerWithETag({ json, hash }: Aggregated, format: Format, ifNoneMatch: string | undefined): Promise<HttpAnswer> {
  const headers = { 'Cache-Control': 'public', ETag: `"${hash}"`, Vary: 'Accept' };
  if (ifNoneMatch === headers.ETag) return { code: 304, headers, body: '' };
  return { code: 200, headers: { ...headers, 'Content-Type': contentType(format) }, body: await encode(json, format) };
}

const contentType = ({ name, parameters }: Format): string => `application/${name}${parameters}`;

export interface Format {
  readonly name: 'json' | 'yaml';
  readonly pretty: boolean;
  /** Parameters of the media type in the answer. */
  readonly parameters: string;
}

/** The format of plain discovery; undefined if no clause accepts one. */
export const findPlainFormat = (clauses: readonly Clause[]): Format | undefined =>
  findFormat(clauses, (parameters) => !requestsTransform(parameters), '');

/**
 * The format of aggregated discovery; undefined if no clause asks for it. As in `WrappedHandler`
 * (apiserver/pkg/endpoints/discovery/aggregated, 1.36), aggregated discovery is used even if the client prefers plain discovery. 1.36 no
 * longer supports v2beta1.
 */
export const findAggregatedFormat = (clauses: readonly Clause[]): Format | undefined =>
  findFormat(
    clauses,
    (parameters) =>
      parameters.get('g') === 'apidiscovery.k8s.io' && parameters.get('v') === 'v2' && parameters.get('as') === 'APIGroupDiscoveryList',
    ';g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
  );

function findFormat(
  clauses: readonly Clause[],
  allowsParameters: (parameters: ReadonlyMap<string, string>) => boolean,
  parameters: string,
): Format | undefined {
  for (const clause of clauses) {
    const name = formatNames.find((each) => matches(clause, `application/${each}`));
    const stream = clause.parameters.get('stream');
    if (name === undefined || !allowsParameters(clause.parameters) || clause.parameters.get('sv') || (stream && stream !== 'watch'))
      continue;
    return { name, pretty: clause.parameters.get('pretty') === '1', parameters };
  }
  return undefined;
}

const formatNames = ['json', 'yaml'] as const;

/** Converts JSON to the requested format. */
export function encode(json: string, { name, pretty }: Format): string | Promise<string> {
  if (name === 'yaml') return writeYaml(json);
  return pretty ? JSON.stringify(JSON.parse(json), undefined, 2) : `${json}\n`;
}

/** `apidiscovery.APIGroupDiscoveryList`: the groups, each with its versions, the preferred one first. */
export const groupDiscoveryList = (groups: readonly (readonly GroupVersion[])[]): Fields => ({
  kind: 'APIGroupDiscoveryList',
  apiVersion: 'apidiscovery.k8s.io/v2',
  metadata: {},
  items: groups.map((versions) => ({
    metadata: versions[0]?.group === '' ? {} : { name: versions[0]?.group },
    versions: versions.map(({ version, resources }) => ({ version, resources: resources.map(toResourceDiscovery), freshness: 'Current' })),
  })),
});

function toResourceDiscovery(served: ServedResource): Fields {
  const { resource, singular, shortNames, categories } = served;
  const subresources = subresourcesOf(served);
  return {
    resource: resource.plural,
    responseKind: toResponseKind(served),
    scope: resource.namespaced ? 'Namespaced' : 'Cluster',
    singularResource: singular,
    verbs: verbsOf(served),
    ...(shortNames.length > 0 && { shortNames }),
    ...(categories.length > 0 && { categories }),
    ...(subresources.length > 0 && {
      subresources: subresources.map(({ name, verbs, type }) => ({ subresource: name, responseKind: toResponseKind(served, type), verbs })),
    }),
  };
}

/** As upstream, built-in resources omit the group and version of a kind in their own group version. */
function toResponseKind({ resource, schema }: ServedResource, type: GroupVersionKind = resource): GroupVersionKind {
  const { group, version, kind } = type;
  const isOwnGroupVersion = group === resource.group && version === resource.version;
  return schema.struct && isOwnGroupVersion ? { group: '', version: '', kind } : { group, version, kind };
}

interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}
