import { apiVersionOf, quote } from 'kube-endpoints/internal/apimachinery';
import type { ApiError, ApiObject, Status } from 'kube-endpoints/port';
import { encodeProtobuf } from '../protobuf/index.ts';
import type { ServedResource } from '../registry/catalog.ts';
import { internalTypeOf } from '../registry/patch.ts';
import { badRequest, parseExactly, stringifyExactly } from '../store/index.ts';
import type { Call, ListResult, Result } from './call.ts';
import type { HttpAnswer } from './exchange.ts';
import { isCustom } from './kinds.ts';
import { createNoAcceptableOutputError, createNotAcceptableError, mediaTypeByFormat, type Output } from './negotiation.ts';
import { writeYaml } from './yaml.ts';

/**
 * Encodes a result in the format that the client accepts.
 * @throws ApiError NotAcceptable if the result does not have the requested representation; BadRequest if the parameter includeObject is
 * invalid
 */
export async function createResultAnswer(call: Call, result: Result, warnings: readonly string[]): Promise<HttpAnswer> {
  const { output } = call;
  if ('stream' in result) return { code: 200, headers: headersOf(streamTypeOf(output), warnings), body: result.stream };
  const code = 'list' in result ? 200 : (result.code ?? 200);
  const body = output.format === 'protobuf' ? encodeResultAsProtobuf(call, result) : encodeResult(call, result);
  return createAnswer(code, body, output, headersOf(mediaTypeByFormat[output.format], warnings));
}

const streamTypeOf = ({ format }: Output): string =>
  format === 'protobuf' ? `${mediaTypeByFormat.protobuf};stream=watch` : mediaTypeByFormat.json;

/** Encodes the Status of an error, with Retry-After if the Status has retryAfterSeconds. */
export function createStatusAnswer({ status }: ApiError, output: Output, warnings: readonly string[]): HttpAnswer | Promise<HttpAnswer> {
  const { retryAfterSeconds = 0 } = status.details ?? {};
  const headers = headersOf(mediaTypeByFormat[output.format], warnings);
  const body = output.format === 'protobuf' ? encodeProtobuf(status) : JSON.stringify(status);
  return createAnswer(status.code, body, output, {
    ...headers,
    ...(retryAfterSeconds > 0 && { 'Retry-After': String(retryAfterSeconds) }),
  });
}

export const createPlainAnswer = (code: number, text: string): HttpAnswer => ({
  code,
  headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-cache, private', 'X-Content-Type-Options': 'nosniff' },
  body: text,
});

/** @param content protobuf, or JSON that is converted to YAML or indented if the output requires it */
function createAnswer(
  code: number,
  content: string | Uint8Array,
  { format, pretty }: Output,
  headers: HttpAnswer['headers'],
): HttpAnswer | Promise<HttpAnswer> {
  if (typeof content !== 'string') return { code, headers, body: content };
  if (format === 'yaml') return writeYaml(content).then((body) => ({ code, headers, body }));
  return { code, headers, body: pretty ? stringifyExactly(parseExactly(content), 2) : `${content}\n` };
}

const headersOf = (type: string, warnings: readonly string[]): Record<string, string | readonly string[]> =>
  warnings.length > 0
    ? { 'Content-Type': type, 'Cache-Control': 'no-cache, private', Warning: warnings }
    : { 'Content-Type': type, 'Cache-Control': 'no-cache, private' };

type NonStreamResult = Exclude<Result, { readonly stream: unknown }>;

function encodeResult(call: Call, result: NonStreamResult): string {
  if ('success' in result) return JSON.stringify(createSuccessStatus(result.success));
  const { transform } = call.output;
  if (transform === undefined)
    return 'list' in result ? encodeList(call, result.list) : call.context.jsonEncoder.encodeObject(result.object);
  const apiVersion = `meta.k8s.io/${transform.version}`;
  if (transform.kind === 'Table' && !call.servedResource.verbs.includes('get')) throw createNoAcceptableOutputError();
  if (transform.kind === 'Table') return encodeResultAsTable(call, result, apiVersion);
  requireListness(call, transform.kind, 'list' in result);
  return 'list' in result ? encodePartialList(result.list, apiVersion) : encodePartialObject(result.object, apiVersion);
}

function encodeResultAsProtobuf(call: Call, result: NonStreamResult): Uint8Array {
  if ('success' in result) return encodeProtobuf(createSuccessStatus(result.success));
  const { protobufEncoder } = call.context;
  const { transform } = call.output;
  if (transform === undefined) {
    if (!('list' in result)) return protobufEncoder.encodeObject(result.object);
    const { resource, listKind } = call.servedResource;
    return protobufEncoder.encodeList({ apiVersion: apiVersionOf(resource), kind: listKind }, result.list.metadata, result.list.items);
  }
  const apiVersion = `meta.k8s.io/${transform.version}`;
  requireListness(call, transform.kind, 'list' in result);
  if (!('list' in result)) return protobufEncoder.encodePartialObject(result.object, apiVersion);
  return protobufEncoder.encodeList({ apiVersion, kind: transform.kind }, result.list.metadata, result.list.items);
}

/** @throws ApiError NotAcceptable if a client requests the metadata of a list but the result is an object, or the reverse */
function requireListness(call: Call, requested: string, isList: boolean): void {
  if ((requested === 'PartialObjectMetadataList') !== isList)
    throw createNotAcceptableError(formatConversionProblem(call, requested, isList));
}

const createSuccessStatus = ({ details, code }: { readonly details?: object; readonly code?: number }): Partial<Status> => ({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Success',
  ...(details && { details }),
  ...(code !== undefined && { code }),
});

function encodeResultAsTable(call: Call, result: Exclude<NonStreamResult, { readonly success: unknown }>, apiVersion: string): string {
  const includeObject = parseIncludeObject(call.request.query);
  const now = new Date(call.context.clock.now());
  const { items, metadata } =
    'list' in result ? result.list : { items: [result.object], metadata: { resourceVersion: result.object.metadata.resourceVersion } };
  return encodeTable(
    call.servedResource,
    { items, metadata },
    { apiVersion, includeObject, now, hasColumnDefinitions: true, encodeObject: call.context.jsonEncoder.encodeObject },
  );
}

function formatConversionProblem({ servedResource }: Call, requested: string, isList: boolean): string {
  const suffix = isList ? 'List' : '';
  const type = isCustom(servedResource) ? `unstructured.Unstructured${suffix}` : `${internalTypeOf(servedResource.resource)}${suffix}`;
  return `you requested ${requested}, but the requested object is ${isList ? 'a' : 'not a'} list (*${type})`;
}

/** Encodes a list. Items of built-in resources omit kind and apiVersion, because the list already has them. */
function encodeList({ context, servedResource }: Call, { items, metadata }: ListResult): string {
  const { resource, listKind } = servedResource;
  const apiVersion = apiVersionOf(resource);
  const isCustomResource = isCustom(servedResource);
  const envelope = isCustomResource ? { continue: '', ...metadata } : metadata;
  const encodeItem = isCustomResource
    ? context.jsonEncoder.encodeObject
    : createItemEncoder(context.jsonEncoder.encodeObject, resource.kind, apiVersion);
  const texts = new Array<string>(items.length);
  for (let i = 0; i < items.length; i++) texts[i] = encodeItem(items[i] as ApiObject);
  return `{"kind":"${listKind}","apiVersion":"${apiVersion}","metadata":${JSON.stringify(envelope)},"items":[${texts.join(',')}]}`;
}

function createItemEncoder(encodeObject: (object: ApiObject) => string, kind: string, apiVersion: string): (object: ApiObject) => string {
  const prefixes = [`{"kind":"${kind}","apiVersion":"${apiVersion}",`, `{"apiVersion":"${apiVersion}","kind":"${kind}",`];
  return (object) => {
    const text = encodeObject(object);
    for (const prefix of prefixes) if (text.startsWith(prefix)) return `{${text.slice(prefix.length)}`;
    const { kind: _, apiVersion: __, ...rest } = object;
    return stringifyExactly(rest);
  };
}

function encodePartialList({ items, metadata }: ListResult, apiVersion: string): string {
  const texts = items.map((item) => encodePartialObject(item, apiVersion));
  return `{"kind":"PartialObjectMetadataList","apiVersion":"${apiVersion}","metadata":${JSON.stringify(metadata)},"items":[${texts.join(',')}]}`;
}

type IncludeObject = 'None' | 'Metadata' | 'Object';

interface TableOptions {
  readonly apiVersion: string;
  readonly includeObject: IncludeObject;
  readonly now: Date;
  /** Whether to include the column definitions: in a watch, only in the first table. */
  readonly hasColumnDefinitions: boolean;
  readonly encodeObject: (object: ApiObject) => string;
}

/**
 * Parses includeObject: how much of its object each row of a Table includes. @throws ApiError BadRequest if it is not None, Metadata or
 * Object
 */
export function parseIncludeObject(query: URLSearchParams): IncludeObject {
  const requested = query.get('includeObject') || 'Metadata';
  if (requested === 'None' || requested === 'Metadata' || requested === 'Object') return requested;
  const expectedValues = "must be 'Metadata', 'Object', 'None', or empty";
  throw badRequest(`Unable to convert to Table as requested: includeObject: Invalid value: ${quote(requested)}: ${expectedValues}`);
}

/** Encodes objects as a `meta.k8s.io` Table in JSON. */
export function encodeTable(servedResource: ServedResource, { items, metadata }: ListResult, options: TableOptions): string {
  const { apiVersion, hasColumnDefinitions } = options;
  const rows = items.map((item) => encodeRow(servedResource, item, options));
  const head = `{"kind":"Table","apiVersion":"${apiVersion}","metadata":${JSON.stringify(metadata)}`;
  return `${head},"columnDefinitions":${hasColumnDefinitions ? encodeColumns(servedResource) : 'null'},"rows":[${rows.join(',')}]}`;
}

/** Encodes only the metadata of an object, as PartialObjectMetadata in JSON. */
export const encodePartialObject = ({ metadata }: ApiObject, apiVersion: string): string =>
  `{"kind":"PartialObjectMetadata","apiVersion":"${apiVersion}","metadata":${JSON.stringify(metadata)}}`;

function encodeRow(servedResource: ServedResource, object: ApiObject, options: TableOptions): string {
  const conditions = servedResource.rowConditions?.(object) ?? [];
  const conditionsText = conditions.length > 0 ? `"conditions":${JSON.stringify(conditions)},` : '';
  return `{"cells":${stringifyExactly(servedResource.cells(object, options.now))},${conditionsText}"object":${encodeRowObject(object, options)}}`;
}

function encodeRowObject(object: ApiObject, { includeObject, apiVersion, encodeObject }: TableOptions): string {
  if (includeObject === 'Object') return encodeObject(object);
  // The bookmark that ends the initial events always includes its metadata, even if the client requested no objects.
  const isEndOfInitialEvents = object.metadata.annotations?.['k8s.io/initial-events-end'] === 'true';
  return includeObject === 'Metadata' || isEndOfInitialEvents ? encodePartialObject(object, apiVersion) : 'null';
}

const encodeColumns = ({ columns }: ServedResource): string =>
  JSON.stringify(columns.map(({ name, type, format, description = '', priority }) => ({ name, type, format, description, priority })));
