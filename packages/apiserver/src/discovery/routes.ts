import { createHash } from 'node:crypto';
import { readAccept, wantsPretty } from '../http/accept.ts';
import type { HttpAnswer, HttpRequest, Route } from '../http/exchange.ts';
import { acceptedBy, noAcceptableOutput, unknownRepresentation } from '../http/negotiation.ts';
import { methodNotAllowed } from '../http/refusals.ts';
import type { Catalog } from '../registry/catalog.ts';
import { aggregatedFormat, type Format, plainFormat, written } from './accept.ts';
import { groupDiscoveryList } from './aggregated.ts';
import { type GroupVersion, groupVersionsOf, listedIn } from './groups.ts';
import { once } from './once.ts';
import { apiGroup, apiGroupList, apiResourceList, apiVersions } from './plain.ts';

export interface DiscoveryOptions {
  readonly catalog: Catalog;
  /** Where clients reach the server, "10.0.0.1:6443"; by default where the client has. */
  readonly serverAddress?: () => string;
}

/** Answers what there is: /api, /apis and the paths of groups and versions. */
export function discoveryRoutes({ catalog, serverAddress }: DiscoveryOptions): Route {
  const pages = createPages(catalog);
  return (request) => {
    if (!isDiscovery.test(request.path)) return undefined;
    const path = request.path.endsWith('/') ? request.path.slice(0, -1) : request.path;
    const page = pages(path);
    return page && answer(page, request, serverAddress?.() ?? request.headers['host'] ?? '');
  };
}

/** /api, /api/v1, /apis, /apis/GROUP, /apis/GROUP/VERSION. */
const isDiscovery = /^\/(?:api(?:\/[^/]+)?|apis(?:\/[^/]+){0,2})\/?$/;

interface Page {
  readonly json: (serverAddress: string) => string;
  /** What is answered to those who ask for aggregated discovery. */
  readonly aggregated?: () => Aggregated;
  /** Whether the real server's router stands before it, which lets nothing through but GET, and looks at Accept for itself. */
  readonly routed: boolean;
}

interface Aggregated {
  readonly json: string;
  readonly hash: string;
}

/** The pages of a catalog by their paths; what was written is kept until the catalog changes. */
function createPages(catalog: Catalog): (path: string) => Page | undefined {
  let pages = new Map<string, Page>();
  let generation: number | undefined;
  return (path) => {
    if (generation !== catalog.generation) {
      generation = catalog.generation;
      pages = pagesOf(groupVersionsOf(listedIn(catalog)));
    }
    return pages.get(path);
  };
}

function pagesOf(groupVersions: readonly GroupVersion[]): Map<string, Page> {
  const pages = new Map<string, Page>();
  for (const each of groupVersions) {
    const base = each.group === '' ? '/api' : `/apis/${each.group}`;
    pages.set(`${base}/${each.version}`, { json: once(() => JSON.stringify(apiResourceList(each))), routed: isBuiltIn(each) });
  }
  const core = groupVersions.filter(({ group }) => group === '');
  pages.set('/api', {
    json: (address) =>
      JSON.stringify(
        apiVersions(
          address,
          core.map(({ version }) => version),
        ),
      ),
    aggregated: once(() => hashed(groupDiscoveryList(core.length > 0 ? [core] : []))),
    routed: true,
  });
  const groups = byGroup(groupVersions.filter(({ group }) => group !== ''));
  for (const versions of groups) {
    pages.set(`/apis/${versions[0]?.group}`, { json: once(() => JSON.stringify(apiGroup(versions))), routed: false });
  }
  const json = once(() => JSON.stringify(apiGroupList(groups)));
  return pages.set('/apis', { json, aggregated: once(() => hashed(groupDiscoveryList(groups))), routed: false });
}

const isBuiltIn = ({ resources }: GroupVersion): boolean => resources.some(({ schema }) => schema.struct !== undefined);

function byGroup(groupVersions: readonly GroupVersion[]): readonly (readonly GroupVersion[])[] {
  const groups = new Map<string, GroupVersion[]>();
  for (const each of groupVersions) {
    const known = groups.get(each.group);
    if (known) known.push(each);
    else groups.set(each.group, [each]);
  }
  return [...groups.values()];
}

function hashed(value: unknown): Aggregated {
  const json = JSON.stringify(value);
  return { json, hash: createHash('sha512').update(json).digest('hex').toUpperCase() };
}

async function answer(page: Page, { method, headers, query }: HttpRequest, serverAddress: string): Promise<HttpAnswer> {
  if (page.routed && method !== 'GET') throw methodNotAllowed();
  if (page.routed && !acceptedBy(headers['accept']).known) throw unknownRepresentation(false);
  const clauses = readAccept(headers['accept']);
  const aggregated = page.aggregated && aggregatedFormat(clauses);
  const format = aggregated ?? plainFormat(clauses);
  if (!format) throw noAcceptableOutput();
  const shown = { ...format, pretty: format.pretty || wantsPretty(query, headers['user-agent']) };
  if (aggregated && page.aggregated) return withTag(page.aggregated(), shown, headers['if-none-match']);
  return { code: 200, headers: { 'Content-Type': contentType(format) }, body: await written(page.json(serverAddress), shown) };
}

async function withTag({ json, hash }: Aggregated, format: Format, known: string | undefined): Promise<HttpAnswer> {
  const headers = { 'Cache-Control': 'public', ETag: `"${hash}"`, Vary: 'Accept' };
  if (known === headers.ETag) return { code: 304, headers, body: '' };
  return { code: 200, headers: { ...headers, 'Content-Type': contentType(format) }, body: await written(json, format) };
}

const contentType = ({ name, parameters }: Format): string => `application/${name}${parameters}`;
