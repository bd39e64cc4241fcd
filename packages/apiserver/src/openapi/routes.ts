import type { HttpAnswer, HttpRequest, Route } from '../http/exchange.ts';
import { matches, readAccept } from '../http/negotiation.ts';
import type { Catalog } from '../registry/catalog.ts';
import type { Clock } from '../store/index.ts';
import { createDocuments, type Documents, documentUrl, type Text } from './documents.ts';

export interface OpenApiOptions {
  readonly catalog: Catalog;
  /** For the Expires header of documents that are cached permanently. */
  readonly clock: Clock;
}

/** Serves the OpenAPI documents: /openapi/v2, /openapi/v3 and the documents in its index. */
export function openApiRoutes({ catalog, clock }: OpenApiOptions): Route {
  const documents = createDocuments(catalog);
  return (request) => {
    const { path } = request;
    if (path === '/openapi/v2') return versionTwo(documents, request);
    if (path === '/openapi/v3') return index(documents.index(), request);
    return path.startsWith('/openapi/v3/') ? groupVersion(documents, path.slice('/openapi/v3/'.length), request, clock) : undefined;
  };
}

/** The real server's aggregator sends the same content type. */
const index = ({ hash, text }: Text, request: HttpRequest): Answer =>
  withTag(request, hash, { 'Content-Type': 'text/plain; charset=utf-8' }, () => text);

function groupVersion(documents: Documents, place: string, request: HttpRequest, clock: Clock): Answer {
  const hash = documents.hash(place);
  if (hash === undefined) return nothing(404, {});
  const requestedHash = request.query.get('hash') ?? '';
  if (requestedHash !== '' && requestedHash !== hash) {
    return nothing(301, { 'Content-Type': 'application/json', ETag: tagOf(hash), Location: documentUrl(place, hash), Vary: 'Accept' });
  }
  const immutableHeaders = requestedHash !== '' && { 'Cache-Control': 'public, immutable', Expires: inAYear(clock) };
  return jsonOnly(request, hash, { Vary: 'Accept', ...immutableHeaders }, () => documents.document(place)?.text ?? '');
}

/** Expiry of documents whose URL contains their hash, so that they never change. */
function inAYear(clock: Clock): string {
  const date = new Date(clock.now());
  date.setUTCFullYear(date.getUTCFullYear() + 1);
  return date.toUTCString();
}

const json = 'application/json';
const protobuf = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';
/** Accepted media type -> media type of the answer. One of them is an older name of protobuf. */
const forms = new Map([
  [json, json],
  ['application/com.github.proto-openapi.spec.v2@v1.0+protobuf', protobuf],
  [protobuf, protobuf],
]);

function versionTwo(documents: Documents, request: HttpRequest): Answer {
  const form = readAccept(request.headers['accept']).flatMap((clause) => [...forms.keys()].filter((type) => matches(clause, type)))[0];
  if (form === undefined) return nothing(406, { Vary: 'Accept' });
  const type = forms.get(form) as string;
  const document = documents.versionTwo();
  return withTag(request, document.hash, { 'Content-Type': type, Vary: 'Accept' }, type === json ? document.json : document.protobuf);
}

/** OpenAPI 3 is served in JSON only, because no client requires protobuf. */
function jsonOnly(request: HttpRequest, hash: string, headers: Headers, document: () => string): Answer {
  const accepted = readAccept(request.headers['accept']).some((clause) => matches(clause, json));
  if (!accepted) return nothing(406, { Vary: 'Accept' });
  return withTag(request, hash, { ...headers, 'Content-Type': json }, document);
}

type Headers = Readonly<Record<string, string>>;

type Body = string | Uint8Array;
type Answer = HttpAnswer | Promise<HttpAnswer>;

async function withTag(
  { headers: asked, method }: HttpRequest,
  hash: string,
  headers: Headers,
  body: () => Body | Promise<Body>,
): Promise<HttpAnswer> {
  const tagged = { ...headers, ETag: tagOf(hash) };
  const read = method === 'GET' || method === 'HEAD';
  if (read && matchesETag(asked['if-none-match'], hash)) {
    const { 'Content-Type': _, ...rest } = tagged as Headers;
    return nothing(304, rest);
  }
  return { code: 200, headers: tagged, body: await body() };
}

const nothing = (code: number, headers: Headers): HttpAnswer => ({ code, headers, body: '' });

const tagOf = (hash: string): string => `"${hash}"`;

const matchesETag = (tags = '', hash: string): boolean =>
  tags.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === tagOf(hash));
