import { apiVersionOf } from 'kube-endpoints/internal/apimachinery';
import type { ApiObject } from 'kube-endpoints/port';
import { decode } from '../api-types/codec/decode.ts';
import { maxBodyDepth } from '../formats/yaml.ts';
import { formatTypeMetaError } from '../patch/errors.ts';
import { readProtobuf } from '../protobuf/index.ts';
import type { ServedResource } from '../registry/catalog.ts';
import { internalTypeOf } from '../registry/patch.ts';
import { collectCauses } from '../resources/field/causes.ts';
import { isDeeper } from '../resources/field/read.ts';
import { createUnreadableBodyError, formatUnknownField, invalidObject } from '../resources/index.ts';
import { badRequest } from '../store/index.ts';
import type { Call, HandlerContext } from './call.ts';
import { createBodyTooLargeError, createUnrecognizedBodyError, decodeText } from './errors.ts';
import type { HttpRequest } from './exchange.ts';
import { type DuplicateKeys, findNumberProblem, type Numbers, readJson } from './json.ts';
import { type ExpectedKind, type GroupVersionKind, isCustom, readGroupVersionKind, requireKind } from './kinds.ts';
import { createUnsupportedMediaTypeError, formats, mediaTypeByFormat, mediaTypes } from './negotiation.ts';

export interface ParsedBody {
  readonly value: unknown;
  /** Duplicate keys of a JSON body. */
  readonly duplicateKeys?: DuplicateKeys;
  readonly numbers?: Numbers;
  /** Duplicate keys of a YAML body, as messages of the real server's parser. */
  readonly duplicateKeyMessages: readonly string[];
  /** Why the body cannot be parsed. */
  readonly problem?: string;
  /** Why the content of a protobuf body cannot be read, although its kind is known. */
  readonly contentProblem?: string;
}

/** Reads the whole body. @throws ApiError RequestEntityTooLarge if the body exceeds maxBodyBytes */
export async function readBytes({ maxBodyBytes }: HandlerContext, request: HttpRequest): Promise<Uint8Array> {
  const bytes = await request.body();
  if (bytes.length > maxBodyBytes) throw createBodyTooLargeError(maxBodyBytes);
  return bytes;
}

/**
 * Parses a body by its Content-Type. Custom resources have no protobuf form. Under duplicate keys of JSON, the last value wins for custom
 * resources, and objects are merged for built-in ones.
 * @param defaultKind the kind of a protobuf body that states none
 * @throws ApiError UnsupportedMediaType if there is no parser for the Content-Type
 */
export async function parseBody(
  { context, request }: Pick<Call, 'context' | 'request'>,
  bytes: Uint8Array,
  { defaultKind, isCustomResource = false }: { readonly defaultKind: GroupVersionKind; readonly isCustomResource?: boolean },
): Promise<ParsedBody> {
  const mediaType = context.mediaTypeOf(request.headers['content-type']);
  const format = formats.find((each) => mediaTypeByFormat[each] === mediaType);
  if (format === 'json') return parseJson(decodeText(bytes), isCustomResource);
  if (format === 'yaml') return context.readYaml(decodeText(bytes));
  if (format === undefined || isCustomResource)
    throw createUnsupportedMediaTypeError(isCustomResource ? mediaTypes.slice(0, 2) : mediaTypes);
  return parseProtobuf(bytes, defaultKind);
}

function parseProtobuf(bytes: Uint8Array, { kind, ...groupVersion }: GroupVersionKind): ParsedBody {
  const body = readProtobuf(bytes, { apiVersion: apiVersionOf(groupVersion), kind });
  if ('problem' in body) return { ...body, value: undefined, duplicateKeyMessages: [] };
  const isTooDeep = bytes.length > 2 * maxBodyDepth && isDeeper(body.value, maxBodyDepth);
  return { ...body, duplicateKeyMessages: [], ...(isTooDeep && { contentProblem: 'exceeded max depth' }) };
}

function parseJson(text: string, isCustomResource: boolean): ParsedBody {
  const { problem, ...parsedJson } = readJson(text, !isCustomResource, isCustomResource);
  return {
    ...parsedJson,
    duplicateKeyMessages: [],
    ...(problem !== undefined && { problem: `couldn't get version/kind; json parse error: ${problem}` }),
  };
}

/**
 * Reads the object of a create or update and checks its kind; the registry decodes it.
 * @throws ApiError BadRequest if the body is malformed or has a different type; Invalid if a custom resource has a different kind;
 * UnsupportedMediaType for an unknown Content-Type
 */
export async function readObject(call: Call, fieldValidation: string | undefined): Promise<ApiObject> {
  const { context, request, servedResource } = call;
  const bytes = await readBytes(context, request);
  const isCustomResource = isCustom(servedResource);
  const options = { defaultKind: servedResource.resource, isCustomResource };
  const parsedBody = await parseBody(call, bytes, options);
  const body = requireObject(parsedBody, servedResource.resource, bytes);
  if (isCustomResource) requireCustomKind(servedResource, body, bytes);
  else requireKind(context.catalog, { ...servedResource.resource, internalType: internalTypeOf(servedResource.resource) }, body, bytes);
  if (parsedBody.numbers) requireRepresentableNumbers(servedResource, body, parsedBody.numbers);
  if ((parsedBody.duplicateKeys || parsedBody.duplicateKeyMessages.length > 0) && fieldValidation !== 'Ignore') {
    reportDuplicates(call, body, parsedBody, fieldValidation === 'Strict');
  }
  return body as unknown as ApiObject;
}

/** @throws ApiError BadRequest if a number cannot be represented */
function requireRepresentableNumbers(servedResource: ServedResource, body: unknown, numbers: Numbers): void {
  const { resource, schema } = servedResource;
  const problem = schema.struct ? decode(schema.struct, body, numbers).problem : findNumberProblem(numbers);
  if (problem !== undefined) throw createUnreadableBodyError(resource, problem);
}

/** Returns the body as an object; an absent or null body is empty. @throws ApiError BadRequest if the body is malformed or not an object */
export function requireObject(
  { value, problem, contentProblem }: ParsedBody,
  expected: GroupVersionKind,
  bytes: Uint8Array,
): Record<string, unknown> {
  const { kind } = expected;
  if (problem !== undefined) throw createUnrecognizedBodyError(kind, problem, bytes);
  if (contentProblem !== undefined) {
    throw createUnreadableBodyError(readGroupVersionKind(value as Record<string, unknown>, expected, bytes), contentProblem, kind);
  }
  if (value === null || value === undefined) return {};
  if (typeof value === 'object' && !Array.isArray(value)) return value as Record<string, unknown>;
  throw createUnrecognizedBodyError(kind, formatTypeMetaError(value), bytes);
}

/** Reports duplicate fields together with unknown fields, in the order of the body. */
function reportDuplicates(call: Call, body: unknown, parsedBody: ParsedBody, isStrict: boolean): void {
  const { resource } = call.servedResource;
  const { problem, unknown: unknownFields } = call.context.registry.strategyFor(resource).decode(body);
  if (problem === undefined) reportStrictErrors(call, { parsedBody, unknownFields, resource, isStrict });
}

interface StrictFindings {
  readonly parsedBody: ParsedBody;
  readonly unknownFields: readonly string[];
  readonly resource: Pick<ExpectedKind, 'kind' | 'version'>;
  readonly isStrict: boolean;
}

/** Warns of findings of strict validation. @throws ApiError BadRequest with the findings if `isStrict` */
export function reportStrictErrors({ warn }: Pick<Call, 'warn'>, { parsedBody, unknownFields, resource, isStrict }: StrictFindings): void {
  const fields = parsedBody.duplicateKeys
    ? formatInBodyOrder(parsedBody.duplicateKeys, unknownFields)
    : unknownFields.map(formatUnknownField);
  const findings = [...(isStrict ? toYamlErrors(parsedBody.duplicateKeyMessages) : parsedBody.duplicateKeyMessages), ...fields].slice(
    0,
    maxStrictErrors,
  );
  if (findings.length > 0 && isStrict) throw createUnreadableBodyError(resource, `strict decoding error: ${findings.join(', ')}`);
  for (const each of findings) warn(each);
}

/** The maximum number of findings to report: `maxStrictErrors` (sigs.k8s.io/json). */
const maxStrictErrors = 100;

/** Joins all lines into one YAML error; no lines give no error. */
export const toYamlErrors = (lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [`yaml: unmarshal errors:\n${lines.map((line) => `  ${line}`).join('\n')}`];

export const formatDuplicateField = (path: string): string => `duplicate field ${JSON.stringify(path)}`;

/** Formats findings in the order of the body. Omits duplicate keys that are unknown fields or inside one. */
function formatInBodyOrder({ keys, positions }: DuplicateKeys, unknownFields: readonly string[]): string[] {
  const duplicates = keys.filter(
    ({ path }) => !unknownFields.some((each) => path === each || path.startsWith(`${each}.`) || path.startsWith(`${each}[`)),
  );
  const findings = [
    ...duplicates.map(({ path, position }) => ({ text: formatDuplicateField(path), position })),
    ...unknownFields.map((path) => ({ text: formatUnknownField(path), position: positions.get(path) ?? 0 })),
  ];
  return findings.sort((a, b) => a.position - b.position).map(({ text }) => text);
}

/** Bodies of custom resources must specify kind and apiVersion. */
function requireCustomKind({ resource }: ServedResource, body: Record<string, unknown>, bytes: Uint8Array): void {
  const { kind, apiVersion = '' } = body;
  if (typeof kind !== 'string' || kind === '')
    throw createUnrecognizedBodyError(resource.kind, `Object 'Kind' is missing in '${decodeText(bytes)}'`, bytes);
  const expectedVersion = apiVersionOf(resource);
  if (apiVersion !== expectedVersion) {
    throw badRequest(`the API version in the data (${String(apiVersion)}) does not match the expected API version (${expectedVersion})`);
  }
  if (kind === resource.kind) return;
  const causes = collectCauses();
  causes.invalid('kind', kind, `must be ${resource.kind}`);
  const { name = '' } = (body['metadata'] ?? {}) as { readonly name?: string };
  throw invalidObject({ group: resource.group, kind }, name, causes.list);
}
