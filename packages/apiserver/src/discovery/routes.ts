import { createHash } from 'node:crypto';
import { createMethodNotAllowedError } from '../http/errors.ts';
import type { HttpAnswer, HttpRequest, Route } from '../http/exchange.ts';
import {
  type Clause,
  createNoAcceptableOutputError,
  createUnknownRepresentationError,
  formats,
  matchesMediaType,
  mediaTypeByFormat,
  negotiateOutput,
  type Output,
  parseAccept,
  requestsTransform,
  wantsIndentation,
} from '../http/negotiation.ts';
import { writeYaml } from '../http/yaml.ts';
import { encodeProtobuf } from '../protobuf/index.ts';
import type { Catalog, ServedResource } from '../registry/catalog.ts';
import type { Fields } from '../store/fields.ts';
import { type GroupVersion, groupByVersion, listDiscoveryResources, memoize } from './groups.ts';
import { createApiGroup, createApiGroupList, createApiResourceList, createApiVersions, subresourcesOf, verbsOf } from './plain.ts';

export interface DiscoveryOptions {
  readonly catalog: Catalog;
  /** Address at which clients reach the server, such as "10.0.0.1:6443". Default: the Host header of the request. */
  readonly serverAddress?: () => string;
}

/** Serves discovery: /api, /apis and the paths of groups and versions. */
export function createDiscoveryRoutes({ catalog, serverAddress }: DiscoveryOptions): Route {
  const getPage = createPageFinder(catalog);
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
  readonly aggregatedPage?: () => AggregatedPage;
  /** Whether kube-apiserver's REST router handles the path. The router rejects methods other than GET and unknown media types. */
  readonly isRouted: boolean;
}

interface AggregatedPage {
  readonly json: string;
  readonly hash: string;
}

/** Returns a function that finds the page of a path; undefined if there is none. Encoded pages are cached until the catalog changes. */
function createPageFinder(catalog: Catalog): (path: string) => Page | undefined {
  let pages = new Map<string, Page>();
  let generation: number | undefined;
  return (path) => {
    if (generation !== catalog.generation) {
      generation = catalog.generation;
      pages = createDiscoveryPages(groupByVersion(listDiscoveryResources(catalog)));
    }
    return pages.get(path);
  };
}

function createDiscoveryPages(groupVersions: readonly GroupVersion[]): Map<string, Page> {
  const pages = new Map<string, Page>();
  for (const each of groupVersions) {
    const basePath = each.group === '' ? '/api' : `/apis/${each.group}`;
    pages.set(`${basePath}/${each.version}`, {
      json: memoize(() => JSON.stringify(createApiResourceList(each))),
      isRouted: isBuiltIn(each),
    });
  }
  const coreVersions = groupVersions.filter(({ group }) => group === '');
  pages.set('/api', {
    json: (address) =>
      JSON.stringify(
        createApiVersions(
          address,
          coreVersions.map(({ version }) => version),
        ),
      ),
    aggregatedPage: memoize(() => encodeWithHash(createApiGroupDiscoveryList(coreVersions.length > 0 ? [coreVersions] : []))),
    isRouted: true,
  });
  const groups = splitByGroup(groupVersions.filter(({ group }) => group !== ''));
  for (const versions of groups) {
    pages.set(`/apis/${versions[0]?.group}`, { json: memoize(() => JSON.stringify(createApiGroup(versions))), isRouted: false });
  }
  const json = memoize(() => JSON.stringify(createApiGroupList(groups)));
  return pages.set('/apis', { json, aggregatedPage: memoize(() => encodeWithHash(createApiGroupDiscoveryList(groups))), isRouted: false });
}

const isBuiltIn = ({ resources }: GroupVersion): boolean => resources.some(({ schema }) => schema.struct !== undefined);

function splitByGroup(groupVersions: readonly GroupVersion[]): readonly (readonly GroupVersion[])[] {
  const groups = new Map<string, GroupVersion[]>();
  for (const each of groupVersions) {
    const existingGroup = groups.get(each.group);
    if (existingGroup) existingGroup.push(each);
    else groups.set(each.group, [each]);
  }
  return [...groups.values()];
}

function encodeWithHash(value: unknown): AggregatedPage {
  const json = JSON.stringify(value);
  return { json, hash: createHash('sha512').update(json).digest('hex').toUpperCase() };
}

async function answer(page: Page, { method, headers, query }: HttpRequest, serverAddress: string): Promise<HttpAnswer> {
  if (page.isRouted && method !== 'GET') throw createMethodNotAllowedError();
  if (page.isRouted && !negotiateOutput(headers['accept']).isKnown) throw createUnknownRepresentationError(false);
  const clauses = parseAccept(headers['accept']);
  const aggregatedFormat = page.aggregatedPage && findAggregatedFormat(clauses);
  const format = aggregatedFormat ?? findPlainFormat(clauses);
  if (!format) throw createNoAcceptableOutputError();
  const outputFormat = { ...format, pretty: format.pretty || wantsIndentation(query, headers['user-agent']) };
  if (aggregatedFormat && page.aggregatedPage) return answerWithETag(page.aggregatedPage(), outputFormat, headers['if-none-match']);
  return { code: 200, headers: { 'Content-Type': contentTypeOf(format) }, body: await encode(page.json(serverAddress), outputFormat) };
}

async function answerWithETag(
  { json, hash }: AggregatedPage,
  format: DiscoveryOutput,
  ifNoneMatch: string | undefined,
): Promise<HttpAnswer> {
  const headers = { 'Cache-Control': 'public', ETag: `"${hash}"`, Vary: 'Accept' };
  if (ifNoneMatch === headers.ETag) return { code: 304, headers, body: '' };
  return { code: 200, headers: { ...headers, 'Content-Type': contentTypeOf(format) }, body: await encode(json, format) };
}

const contentTypeOf = ({ format, parameters }: DiscoveryOutput): string => `${mediaTypeByFormat[format]}${parameters}`;

export interface DiscoveryOutput extends Pick<Output, 'format' | 'pretty'> {
  /** Parameters of the media type in the answer. */
  readonly parameters: string;
}

/** Finds the format for plain discovery; undefined if no clause accepts one. */
export const findPlainFormat = (clauses: readonly Clause[]): DiscoveryOutput | undefined =>
  findFormat(clauses, (parameters) => !requestsTransform(parameters), '');

/**
 * Finds the format for aggregated discovery; undefined if no clause asks for it. As in `WrappedHandler`
 * (apiserver/pkg/endpoints/discovery/aggregated, 1.36), aggregated discovery is used even if the client prefers plain discovery. 1.36 no
 * longer supports v2beta1.
 */
export const findAggregatedFormat = (clauses: readonly Clause[]): DiscoveryOutput | undefined =>
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
): DiscoveryOutput | undefined {
  for (const clause of clauses) {
    const format = formats.find((each) => matchesMediaType(clause, mediaTypeByFormat[each]));
    const stream = clause.parameters.get('stream');
    if (format === undefined || !allowsParameters(clause.parameters) || clause.parameters.get('sv') || (stream && stream !== 'watch'))
      continue;
    return { format, pretty: clause.parameters.get('pretty') === '1', parameters };
  }
  return undefined;
}

/** Converts JSON to the requested format. */
export function encode(json: string, { format, pretty }: DiscoveryOutput): string | Uint8Array | Promise<string> {
  if (format === 'yaml') return writeYaml(json);
  if (format === 'protobuf') return encodeProtobuf(JSON.parse(json));
  return pretty ? JSON.stringify(JSON.parse(json), undefined, 2) : `${json}\n`;
}

/** Creates an `apidiscovery.APIGroupDiscoveryList`: the groups, each with its versions, the preferred one first. */
export const createApiGroupDiscoveryList = (groups: readonly (readonly GroupVersion[])[]): Fields => ({
  kind: 'APIGroupDiscoveryList',
  apiVersion: 'apidiscovery.k8s.io/v2',
  metadata: {},
  items: groups.map((versions) => ({
    metadata: versions[0]?.group === '' ? {} : { name: versions[0]?.group },
    versions: versions.map(({ version, resources }) => ({ version, resources: resources.map(toResourceDiscovery), freshness: 'Current' })),
  })),
});

function toResourceDiscovery(servedResource: ServedResource): Fields {
  const { resource, singular, shortNames, categories } = servedResource;
  const subresources = subresourcesOf(servedResource);
  return {
    resource: resource.plural,
    responseKind: toResponseKind(servedResource),
    scope: resource.namespaced ? 'Namespaced' : 'Cluster',
    singularResource: singular,
    verbs: verbsOf(servedResource),
    ...(shortNames.length > 0 && { shortNames }),
    ...(categories.length > 0 && { categories }),
    ...(subresources.length > 0 && {
      subresources: subresources.map(({ name, verbs, type }) => ({
        subresource: name,
        responseKind: toResponseKind(servedResource, type),
        verbs,
      })),
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
