import type { ApiError, PatchType } from 'kube-endpoints/port';
import { formatUnmarshalError } from '../patch/errors.ts';
import { keyOf } from '../registry/metadata.ts';
import { badRequest } from '../store/index.ts';
import { formatDuplicateField, readBytes, toYamlErrors } from './bodies.ts';
import { type Call, callerOf, createCreateCheck, type Result } from './call.ts';
import { decodeText } from './errors.ts';
import { findNumberProblem, readJson } from './json.ts';
import { isCustom } from './kinds.ts';
import { createUnsupportedMediaTypeError, createUnsupportedPatchTypeError } from './negotiation.ts';
import { parsePatchQuery, type WriteQuery } from './parameters.ts';

export interface PatchRequest {
  readonly type: PatchType;
  readonly query: WriteQuery;
  readonly value: unknown;
  readonly strictErrors: readonly string[];
}

/** Patches an object. Mirrors PatchResource (1.36, apiserver/pkg/endpoints/handlers/patch.go). */
export async function patch(call: Call): Promise<Result> {
  const { context, servedResource, subresource } = call;
  const { type, query, value, strictErrors } = await readPatchRequest(call);
  let code = 200;
  const object = await context.registry.patch(servedResource.resource, keyOf(call), value, {
    ...query,
    ...callerOf(call),
    type,
    strictErrors,
    ...(subresource && { subresource: subresource.name }),
    requireCreatable: createCreateCheck(call),
    onCreate: () => {
      code = 201;
    },
  });
  if (type === 'apply') strictErrors.forEach(call.warn);
  return { object, code };
}

/**
 * Returns the patch type of a content type.
 * @throws ApiError UnsupportedMediaType if the resource supports no patch of this content type
 */
export function requirePatchType(contentType: string | undefined, isCustomResource: boolean): PatchType {
  const [mediaType = ''] = (contentType ?? '').split(';');
  const type = Object.hasOwn(patchTypes, mediaType) ? patchTypes[mediaType] : undefined;
  if (type !== undefined && !(isCustomResource && type === 'strategic')) return type;
  throw isCustomResource
    ? createUnsupportedMediaTypeError(Object.keys(patchTypes).filter((each) => patchTypes[each] !== 'strategic'))
    : createUnsupportedPatchTypeError();
}

export async function readPatchRequest(call: Call): Promise<PatchRequest> {
  const { context, request, servedResource } = call;
  const type = requirePatchType(request.headers['content-type'], isCustom(servedResource));
  const bytes = await readBytes(context, request);
  const query = parsePatchQuery(request.query, type === 'apply');
  const parsedPatch =
    type === 'apply' ? await parseApplyConfiguration(call, decodeText(bytes), query) : parseJsonText(call, type, decodeText(bytes), query);
  return { type, query, ...parsedPatch };
}

const patchTypes: Readonly<Record<string, PatchType>> = {
  'application/json-patch+json': 'json',
  'application/merge-patch+json': 'merge',
  'application/apply-patch+yaml': 'apply',
  'application/strategic-merge-patch+json': 'strategic',
};

type ParsedPatch = Pick<PatchRequest, 'value' | 'strictErrors'>;

function parseJsonText(call: Call, type: PatchType, text: string, { fieldValidation = 'Warn' }: WriteQuery): ParsedPatch {
  const { value, numbers, duplicateKeys, ...parsedPatch } = readJson(text, false, isCustom(call.servedResource));
  const goDestination = type === 'json' ? 'Go struct field jsonPatchOp.value' : undefined;
  const problem = parsedPatch.problem ?? findNumberProblem(numbers, goDestination);
  if (problem !== undefined) throw preferNotFound(call, badRequest(formatProblem(type, problem, fieldValidation === 'Ignore')));
  if (!duplicateKeys || fieldValidation === 'Ignore') return { value, strictErrors: [] };
  const prefix = type === 'json' ? 'json patch ' : '';
  return { value, strictErrors: duplicateKeys.keys.map(({ path }) => `${prefix}${formatDuplicateField(path)}`) };
}

/** Returns the error if the object exists. @throws ApiError NotFound, which takes precedence, if the object does not exist */
function preferNotFound(call: Call, error: ApiError): ApiError {
  const { resource } = call.servedResource;
  call.context.registry.storeFor(resource).get(resource, keyOf(call));
  return error;
}

function formatProblem(type: PatchType, problem: string, isLenient: boolean): string {
  if (type === 'strategic' || (type === 'json' && isLenient)) return problem;
  return isLenient ? 'Invalid JSON Patch' : `error decoding patch: ${problem}`;
}

/** Parses an apply configuration, which is YAML. Most configurations are also JSON, which parses much faster. */
async function parseApplyConfiguration(
  { context, servedResource }: Call,
  text: string,
  { fieldValidation = 'Warn' }: WriteQuery,
): Promise<ParsedPatch> {
  const parsedJson = text.trimStart().startsWith('{') ? readJson(text, false, isCustom(servedResource)) : undefined;
  if (parsedJson && parsedJson.problem === undefined && !parsedJson.duplicateKeys) return { value: parsedJson.value, strictErrors: [] };
  const { value, duplicateKeyMessages, problem } = await context.readYaml(text);
  if (problem !== undefined) throw badRequest(`error decoding YAML: error converting YAML to JSON: ${problem}`);
  const isObject = typeof value === 'object' && !Array.isArray(value);
  if (!isObject)
    throw badRequest(
      `error decoding YAML: error unmarshaling JSON: while decoding JSON: ${formatUnmarshalError(value, 'value of type map[string]interface {}')}`,
    );
  const reportedDuplicates = fieldValidation === 'Ignore' ? [] : duplicateKeyMessages;
  if (reportedDuplicates.length === 0 || fieldValidation !== 'Strict') return { value: value ?? {}, strictErrors: reportedDuplicates };
  throw badRequest(`error strict decoding YAML: error converting YAML to JSON: ${toYamlErrors(reportedDuplicates).join('')}`);
}
