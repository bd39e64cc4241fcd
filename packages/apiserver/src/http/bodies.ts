import { apiVersionOf } from 'kube-endpoints/internal/apimachinery';
import type { ApiObject } from 'kube-endpoints/port';
import { formatTypeMetaError } from '../patch/errors.ts';
import type { ServedResource } from '../registry/catalog.ts';
import { internalTypeOf } from '../registry/patch.ts';
import { decode } from '../resources/codec/decode.ts';
import { collectCauses } from '../resources/field/causes.ts';
import { createUnreadableBodyError, formatUnknownField, invalidObject } from '../resources/index.ts';
import { badRequest } from '../store/index.ts';
import type { Call, HandlerContext } from './call.ts';
import { bodyTooLarge, textOf, unrecognized } from './errors.ts';
import type { HttpRequest } from './exchange.ts';
import { type Numbers, numberProblem, type Repeated, readJson } from './json.ts';
import { type ExpectedKind, isCustom, requireKind } from './kinds.ts';
import { mediaTypes, unsupportedMediaType } from './negotiation.ts';
import { readYaml } from './yaml.ts';

export interface ParsedBody {
  readonly value: unknown;
  /** Duplicate keys of a JSON body. */
  readonly repeated?: Repeated;
  readonly numbers?: Numbers;
  /** Duplicate keys of a YAML body, as messages of the real server's parser. */
  readonly repeatedLines: readonly string[];
  /** Why the body cannot be parsed. */
  readonly problem?: string;
}

/** @throws ApiError RequestEntityTooLarge if the body exceeds maxBodyBytes */
export async function readBytes({ maxBodyBytes }: HandlerContext, request: HttpRequest): Promise<Uint8Array> {
  const bytes = await request.body();
  if (bytes.length > maxBodyBytes) throw bodyTooLarge(maxBodyBytes);
  return bytes;
}

/**
 * Parses a body by its Content-Type. Custom resources have no protobuf form. Under duplicate keys of JSON, the last value wins for custom
 * resources, and objects are merged for built-in ones.
 * @throws ApiError UnsupportedMediaType if there is no parser for the Content-Type
 */
export async function parseBody(
  context: HandlerContext,
  bytes: Uint8Array,
  contentType: string | undefined,
  custom = false,
): Promise<ParsedBody> {
  const format = formats[context.mediaType(contentType) ?? ''];
  if (format === 'json') return parseJson(textOf(bytes), !custom);
  if (format === 'yaml') return parseYaml(textOf(bytes));
  if (format === undefined || custom) throw unsupportedMediaType(custom ? mediaTypes.slice(0, 2) : mediaTypes);
  const parsed = await context.readProtobuf(bytes);
  return { repeatedLines: [], ...('problem' in parsed ? { ...parsed, value: undefined } : parsed) };
}

function parseJson(text: string, merging: boolean): ParsedBody {
  const { problem, ...read } = readJson(text, merging);
  return {
    ...read,
    repeatedLines: [],
    ...(problem !== undefined && { problem: `couldn't get version/kind; json parse error: ${problem}` }),
  };
}

async function parseYaml(text: string): Promise<ParsedBody> {
  const { repeated, ...read } = await readYaml(text);
  return { ...read, repeatedLines: repeated };
}

/**
 * Reads the object of a create or update and checks its kind; the registry decodes it.
 * @throws ApiError BadRequest if the body is malformed or of another type; Invalid for another kind of custom resource;
 * UnsupportedMediaType for an unknown Content-Type
 */
export async function readObject(call: Call, fieldValidation: string | undefined): Promise<ApiObject> {
  const { context, request, served } = call;
  const bytes = await readBytes(context, request);
  const custom = isCustom(served);
  const parsed = await parseBody(context, bytes, request.headers['content-type'], custom);
  const body = requireObject(parsed, served.resource, bytes);
  if (custom) requireCustomKind(served, body, bytes);
  else requireKind(context.catalog, { ...served.resource, internal: internalTypeOf(served.resource) }, body, bytes);
  if (parsed.numbers) requireNumbers(served, body, parsed.numbers);
  if ((parsed.repeated || parsed.repeatedLines.length > 0) && fieldValidation !== 'Ignore') {
    reportDuplicates(call, body, parsed, fieldValidation === 'Strict');
  }
  return body as unknown as ApiObject;
}

/** @throws ApiError BadRequest if a number cannot be represented */
function requireNumbers(served: ServedResource, body: unknown, numbers: Numbers): void {
  const { resource, schema } = served;
  const problem = schema.struct ? decode(schema.struct, body, numbers).problem : numberProblem(numbers, isCustom(served));
  if (problem !== undefined) throw createUnreadableBodyError(resource, problem);
}

/** Returns the body as an object. @throws ApiError BadRequest if it is not an object */
export function requireObject(
  { value, problem }: ParsedBody,
  { kind }: Pick<ExpectedKind, 'kind'>,
  bytes: Uint8Array,
): Record<string, unknown> {
  if (problem !== undefined) throw unrecognized(kind, problem, bytes);
  if (value === null || value === undefined) return {};
  if (typeof value === 'object' && !Array.isArray(value)) return value as Record<string, unknown>;
  throw unrecognized(kind, formatTypeMetaError(value), bytes);
}

/** Reports duplicate fields together with unknown fields, in the order of the body. */
function reportDuplicates(call: Call, body: unknown, parsed: ParsedBody, strict: boolean): void {
  const { resource } = call.served;
  const { problem, unknown } = call.context.registry.strategyFor(resource).decode(body);
  if (problem === undefined) reportStrictErrors(call, { parsed, unknown, resource, strict });
}

interface StrictFindings {
  readonly parsed: ParsedBody;
  readonly unknown: readonly string[];
  readonly resource: Pick<ExpectedKind, 'kind' | 'version'>;
  readonly strict: boolean;
}

/** Warns of findings of strict validation. @throws ApiError BadRequest with the findings if `strict` */
export function reportStrictErrors({ warn }: Pick<Call, 'warn'>, { parsed, unknown, resource, strict }: StrictFindings): void {
  const fields = parsed.repeated ? formatInBodyOrder(parsed.repeated, unknown) : unknown.map(formatUnknownField);
  const findings = [...(strict ? yamlError(parsed.repeatedLines) : parsed.repeatedLines), ...fields].slice(0, maxStrictErrors);
  if (findings.length > 0 && strict) throw createUnreadableBodyError(resource, `strict decoding error: ${findings.join(', ')}`);
  for (const each of findings) warn(each);
}

/** The maximum number of findings to report: `maxStrictErrors` (sigs.k8s.io/json). */
const maxStrictErrors = 100;

/** Joins all lines into one YAML error. */
export const yamlError = (lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [`yaml: unmarshal errors:\n${lines.map((line) => `  ${line}`).join('\n')}`];

export const repeatedField = (path: string): string => `duplicate field ${JSON.stringify(path)}`;

/** A duplicate key that is also inside an unknown field is reported only once. */
function formatInBodyOrder({ keys, positions }: Repeated, unknown: readonly string[]): string[] {
  const duplicates = keys.filter(
    ({ path }) => !unknown.some((each) => path === each || path.startsWith(`${each}.`) || path.startsWith(`${each}[`)),
  );
  const findings = [
    ...duplicates.map(({ path, position }) => ({ text: repeatedField(path), position })),
    ...unknown.map((path) => ({ text: formatUnknownField(path), position: positions.get(path) ?? 0 })),
  ];
  return findings.sort((a, b) => a.position - b.position).map(({ text }) => text);
}

/** Bodies of custom resources must specify kind and apiVersion. */
function requireCustomKind({ resource }: ServedResource, body: Record<string, unknown>, bytes: Uint8Array): void {
  const { kind, apiVersion = '' } = body;
  if (typeof kind !== 'string' || kind === '') throw unrecognized(resource.kind, `Object 'Kind' is missing in '${textOf(bytes)}'`, bytes);
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

const formats: Readonly<Record<string, 'json' | 'yaml' | 'protobuf' | undefined>> = {
  'application/json': 'json',
  'application/yaml': 'yaml',
  'application/vnd.kubernetes.protobuf': 'protobuf',
};
