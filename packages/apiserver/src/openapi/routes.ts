import type { HttpAnswer, HttpRequest, Route } from '../http/exchange.ts';
import { matchesMediaType, parseAccept } from '../http/negotiation.ts';
import type { Catalog } from '../registry/catalog.ts';
import type { Clock } from '../store/index.ts';
import { createDocuments, type Documents, type HashedText, toDocumentUrl } from './documents.ts';

export interface OpenApiOptions {
  readonly catalog: Catalog;
  /** Sets the Expires header of documents that clients may cache permanently. */
  readonly clock: Clock;
}

/** Serves the OpenAPI documents: /openapi/v2, /openapi/v3 and the documents in its index. */
export function createOpenApiRoute({ catalog, clock }: OpenApiOptions): Route {
  const documents = createDocuments(catalog);
  return (request) => {
    const { path } = request;
    if (path === '/openapi/v2') return answerVersionTwo(documents, request);
    if (path === '/openapi/v3') return answerIndex(documents.index(), request);
    return path.startsWith('/openapi/v3/') ? answerGroupVersion(documents, path.slice('/openapi/v3/'.length), request, clock) : undefined;
  };
}

/** Answers with the index of OpenAPI 3. kube-apiserver's aggregator sends the same content type. */
const answerIndex = ({ hash, text }: HashedText, request: HttpRequest): Answer =>
  answerWithETag(request, hash, { 'Content-Type': 'text/plain; charset=utf-8' }, () => text);

function answerGroupVersion(documents: Documents, documentPath: string, request: HttpRequest, clock: Clock): Answer {
  const hash = documents.hash(documentPath);
  if (hash === undefined) return createEmptyAnswer(404, {});
  const requestedHash = request.query.get('hash') ?? '';
  if (requestedHash !== '' && requestedHash !== hash) {
    return createEmptyAnswer(301, {
      'Content-Type': 'application/json',
      ETag: toETag(hash),
      Location: toDocumentUrl(documentPath, hash),
      Vary: 'Accept',
    });
  }
  const immutableHeaders = requestedHash !== '' && { 'Cache-Control': 'public, immutable', Expires: computeExpires(clock) };
  return answerJson(request, hash, { Vary: 'Accept', ...immutableHeaders }, () => documents.document(documentPath)?.text ?? '');
}

/** Computes the Expires header of documents that never change, because their URL contains their hash. */
function computeExpires(clock: Clock): string {
  const date = new Date(clock.now());
  date.setUTCFullYear(date.getUTCFullYear() + 1);
  return date.toUTCString();
}

const jsonType = 'application/json';
const protobufType = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';
/** Media type of the answer by accepted media type. "@v1.0" is an older name of the same protobuf encoding. */
const answerTypes = new Map([
  [jsonType, jsonType],
  ['application/com.github.proto-openapi.spec.v2@v1.0+protobuf', protobufType],
  [protobufType, protobufType],
]);

function answerVersionTwo(documents: Documents, request: HttpRequest): Answer {
  const acceptedType = parseAccept(request.headers['accept']).flatMap((clause) =>
    [...answerTypes.keys()].filter((type) => matchesMediaType(clause, type)),
  )[0];
  if (acceptedType === undefined) return createEmptyAnswer(406, { Vary: 'Accept' });
  const type = answerTypes.get(acceptedType) as string;
  const document = documents.versionTwo();
  return answerWithETag(
    request,
    document.hash,
    { 'Content-Type': type, Vary: 'Accept' },
    type === jsonType ? document.json : document.protobuf,
  );
}

/** OpenAPI 3 is served in JSON only, because no client requires protobuf. */
function answerJson(request: HttpRequest, hash: string, headers: Headers, getText: () => string): Answer {
  const acceptsJson = parseAccept(request.headers['accept']).some((clause) => matchesMediaType(clause, jsonType));
  if (!acceptsJson) return createEmptyAnswer(406, { Vary: 'Accept' });
  return answerWithETag(request, hash, { ...headers, 'Content-Type': jsonType }, getText);
}

type Headers = Readonly<Record<string, string>>;

type Body = string | Uint8Array;
type Answer = HttpAnswer | Promise<HttpAnswer>;

async function answerWithETag(
  { headers: requestHeaders, method }: HttpRequest,
  hash: string,
  headers: Headers,
  body: () => Body | Promise<Body>,
): Promise<HttpAnswer> {
  const headersWithETag = { ...headers, ETag: toETag(hash) };
  const isRead = method === 'GET' || method === 'HEAD';
  if (isRead && matchesETag(requestHeaders['if-none-match'], hash)) {
    const { 'Content-Type': _, ...rest } = headersWithETag as Headers;
    return createEmptyAnswer(304, rest);
  }
  return { code: 200, headers: headersWithETag, body: await body() };
}

const createEmptyAnswer = (code: number, headers: Headers): HttpAnswer => ({ code, headers, body: '' });

const toETag = (hash: string): string => `"${hash}"`;

const matchesETag = (tags = '', hash: string): boolean =>
  tags.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === toETag(hash));
