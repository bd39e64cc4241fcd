import { apiVersionOf, quote } from 'kube-endpoints/internal/apimachinery';
import type { ApiError, ApiObject, Status } from 'kube-endpoints/port';
import type { ServedResource } from '../registry/catalog.ts';
import { internalTypeOf } from '../registry/patch.ts';
import { badRequest } from '../store/index.ts';
import type { Call, ListResult, Result } from './call.ts';
import type { HttpAnswer } from './exchange.ts';
import { isCustom } from './kinds.ts';
import { notAcceptable, type Output } from './negotiation.ts';
import { writeYaml } from './yaml.ts';

/**
 * Encodes a result in the format that the client accepts.
 * @throws ApiError NotAcceptable if the result has no such representation; BadRequest if the parameter includeObject is invalid
 */
export async function answerWith(call: Call, result: Result, warnings: readonly string[]): Promise<HttpAnswer> {
  if ('stream' in result) return { code: 200, headers: headersOf('application/json', warnings), body: result.stream };
  const code = 'list' in result ? 200 : (result.code ?? 200);
  return encodeAnswer(code, encodeResult(call, result), call.output, warnings);
}

/** Encodes an error as its Status, with Retry-After if the Status has retryAfterSeconds. */
export function answerOfError({ status }: ApiError, output: Output, warnings: readonly string[]): HttpAnswer | Promise<HttpAnswer> {
  const { retryAfterSeconds = 0 } = status.details ?? {};
  const extraHeaders = retryAfterSeconds > 0 ? { 'Retry-After': String(retryAfterSeconds) } : undefined;
  return encodeAnswer(status.code, JSON.stringify(status), output, warnings, extraHeaders);
}

export const createPlainAnswer = (code: number, text: string): HttpAnswer => ({
  code,
  headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-cache, private', 'X-Content-Type-Options': 'nosniff' },
  body: text,
});

function encodeAnswer(
  code: number,
  text: string,
  { format, pretty }: Output,
  warnings: readonly string[],
  extraHeaders?: Readonly<Record<string, string>>,
): HttpAnswer | Promise<HttpAnswer> {
  const headers = { ...headersOf(`application/${format}`, warnings), ...extraHeaders };
  if (format === 'yaml') return writeYaml(text).then((body) => ({ code, headers, body }));
  return { code, headers, body: pretty ? JSON.stringify(JSON.parse(text), undefined, 2) : `${text}\n` };
}

const headersOf = (type: string, warnings: readonly string[]): Record<string, string | readonly string[]> =>
  warnings.length > 0
    ? { 'Content-Type': type, 'Cache-Control': 'no-cache, private', Warning: warnings }
    : { 'Content-Type': type, 'Cache-Control': 'no-cache, private' };

type ObjectOrListResult = Exclude<Result, { readonly stream: AsyncIterable<string> }>;

function encodeResult(call: Call, result: ObjectOrListResult): string {
  if ('success' in result) return JSON.stringify(successStatus(result.success));
  const { transform } = call.output;
  if (transform === undefined) return 'list' in result ? listText(call, result.list) : call.context.texts.encodeObject(result.object);
  const apiVersion = `meta.k8s.io/${transform.version}`;
  if (transform.kind === 'Table') return encodeTable(call, result, apiVersion);
  const isList = 'list' in result;
  if ((transform.kind === 'PartialObjectMetadataList') !== isList) throw notAcceptable(conversionProblem(call, transform.kind, isList));
  return isList ? partialListText(result.list, apiVersion) : partialText(result.object, apiVersion);
}

const successStatus = ({ details, code }: { readonly details?: object; readonly code?: number }): Partial<Status> => ({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Success',
  ...(details && { details }),
  ...(code !== undefined && { code }),
});

function encodeTable(call: Call, result: Exclude<ObjectOrListResult, { readonly success: unknown }>, apiVersion: string): string {
  const include = parseIncludeObject(call.request.query);
  const now = new Date(call.context.clock.now());
  const { items, metadata } =
    'list' in result ? result.list : { items: [result.object], metadata: { resourceVersion: result.object.metadata.resourceVersion } };
  return tableText(call.served, { items, metadata }, { apiVersion, include, now, columns: true, textOf: call.context.texts.encodeObject });
}

function conversionProblem({ served }: Call, requested: string, isList: boolean): string {
  const suffix = isList ? 'List' : '';
  const type = isCustom(served) ? `unstructured.Unstructured${suffix}` : `${internalTypeOf(served.resource)}${suffix}`;
  return `you requested ${requested}, but the requested object is ${isList ? 'a' : 'not a'} list (*${type})`;
}

/** Items of built-in resources omit kind and apiVersion, because the list already has them. */
function listText({ context, served }: Call, { items, metadata }: ListResult): string {
  const { resource, listKind } = served;
  const apiVersion = apiVersionOf(resource);
  const custom = isCustom(served);
  const envelope = custom ? { continue: '', ...metadata } : metadata;
  const textOf = custom ? context.texts.encodeObject : createItemEncoder(context.texts.encodeObject, resource.kind, apiVersion);
  const texts = new Array<string>(items.length);
  for (let i = 0; i < items.length; i++) texts[i] = textOf(items[i] as ApiObject);
  return `{"kind":"${listKind}","apiVersion":"${apiVersion}","metadata":${JSON.stringify(envelope)},"items":[${texts.join(',')}]}`;
}

function createItemEncoder(textOf: (object: ApiObject) => string, kind: string, apiVersion: string): (object: ApiObject) => string {
  const prefixes = [`{"kind":"${kind}","apiVersion":"${apiVersion}",`, `{"apiVersion":"${apiVersion}","kind":"${kind}",`];
  return (object) => {
    const text = textOf(object);
    for (const head of prefixes) if (text.startsWith(head)) return `{${text.slice(head.length)}`;
    const { kind: _, apiVersion: __, ...rest } = object;
    return JSON.stringify(rest);
  };
}

function partialListText({ items, metadata }: ListResult, apiVersion: string): string {
  const texts = items.map((item) => partialText(item, apiVersion));
  return `{"kind":"PartialObjectMetadataList","apiVersion":"${apiVersion}","metadata":${JSON.stringify(metadata)},"items":[${texts.join(',')}]}`;
}

type Include = 'None' | 'Metadata' | 'Object';

interface TableOptions {
  readonly apiVersion: string;
  readonly include: Include;
  readonly now: Date;
  /** Whether to include the column definitions: in a watch, only in the first table. */
  readonly columns: boolean;
  readonly textOf: (object: ApiObject) => string;
}

/** Parses includeObject, the form in which a Table row includes its object. @throws ApiError BadRequest for another value */
export function parseIncludeObject(query: URLSearchParams): Include {
  const requested = query.get('includeObject') || 'Metadata';
  if (requested === 'None' || requested === 'Metadata' || requested === 'Object') return requested;
  const expectedValues = "must be 'Metadata', 'Object', 'None', or empty";
  throw badRequest(`Unable to convert to Table as requested: includeObject: Invalid value: ${quote(requested)}: ${expectedValues}`);
}

/** Encodes objects as a `meta.k8s.io` Table in JSON. */
export function tableText(served: ServedResource, { items, metadata }: ListResult, options: TableOptions): string {
  const { apiVersion, columns } = options;
  const rows = items.map((item) => rowText(served, item, options));
  const head = `{"kind":"Table","apiVersion":"${apiVersion}","metadata":${JSON.stringify(metadata)}`;
  return `${head},"columnDefinitions":${columns ? columnsText(served) : 'null'},"rows":[${rows.join(',')}]}`;
}

/** Encodes only the metadata of an object, as PartialObjectMetadata in JSON. */
export const partialText = ({ metadata }: ApiObject, apiVersion: string): string =>
  `{"kind":"PartialObjectMetadata","apiVersion":"${apiVersion}","metadata":${JSON.stringify(metadata)}}`;

function rowText(served: ServedResource, object: ApiObject, options: TableOptions): string {
  const conditions = served.rowConditions?.(object) ?? [];
  const conditionsText = conditions.length > 0 ? `"conditions":${JSON.stringify(conditions)},` : '';
  return `{"cells":${JSON.stringify(served.cells(object, options.now))},${conditionsText}"object":${objectText(object, options)}}`;
}

function objectText(object: ApiObject, { include, apiVersion, textOf }: TableOptions): string {
  if (include === 'Object') return textOf(object);
  // The bookmark that ends the initial events always includes its metadata, even if the client requested no objects.
  const isEnd = object.metadata.annotations?.['k8s.io/initial-events-end'] === 'true';
  return include === 'Metadata' || isEnd ? partialText(object, apiVersion) : 'null';
}

const columnsText = ({ columns }: ServedResource): string =>
  JSON.stringify(columns.map(({ name, type, format, description = '', priority }) => ({ name, type, format, description, priority })));
