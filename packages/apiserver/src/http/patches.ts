import type { ApiError, PatchType } from 'kube-endpoints/port';
import { formatUnmarshalError } from '../patch/errors.ts';
import { keyOf } from '../registry/metadata.ts';
import { badRequest } from '../store/index.ts';
import { readBytes, repeatedField, yamlError } from './bodies.ts';
import { type Call, callerOf, type Result } from './call.ts';
import { textOf } from './errors.ts';
import { numberProblem, readJson } from './json.ts';
import { isCustom } from './kinds.ts';
import { unsupportedMediaType, unsupportedPatchType } from './negotiation.ts';
import { parsePatchQuery, type WriteQuery } from './parameters.ts';
import { readYaml } from './yaml.ts';

export interface ReadPatch {
  readonly type: PatchType;
  readonly query: WriteQuery;
  readonly value: unknown;
  readonly strictErrors: readonly string[];
}

/** Patches an object. Mirrors PatchResource (1.36, apiserver/pkg/endpoints/handlers/patch.go). */
export async function patch(call: Call): Promise<Result> {
  const { context, served, subresource } = call;
  const { type, query, value, strictErrors } = await readPatch(call);
  let code = 200;
  const object = await context.registry.patch(served.resource, keyOf(call), value, {
    ...query,
    ...callerOf(call),
    type,
    strictErrors,
    ...(subresource && { subresource: subresource.name }),
    onCreate: () => {
      code = 201;
    },
  });
  if (type === 'apply') strictErrors.forEach(call.warn);
  return { object, code };
}

/** Returns the patch type of a content type. @throws ApiError UnsupportedMediaType if it is not a supported type of patch */
export function requirePatchType(contentType: string | undefined, custom: boolean): PatchType {
  const [mediaType = ''] = (contentType ?? '').split(';');
  const type = Object.hasOwn(patchTypes, mediaType) ? patchTypes[mediaType] : undefined;
  if (type !== undefined && !(custom && type === 'strategic')) return type;
  throw custom ? unsupportedMediaType(Object.keys(patchTypes).filter((each) => patchTypes[each] !== 'strategic')) : unsupportedPatchType();
}

export async function readPatch(call: Call): Promise<ReadPatch> {
  const { context, request, served } = call;
  const type = requirePatchType(request.headers['content-type'], isCustom(served));
  const bytes = await readBytes(context, request);
  const query = parsePatchQuery(request.query, type === 'apply');
  const read = type === 'apply' ? await parseApplyConfiguration(textOf(bytes), query) : parseJsonText(call, type, textOf(bytes), query);
  return { type, query, ...read };
}

const patchTypes: Readonly<Record<string, PatchType>> = {
  'application/json-patch+json': 'json',
  'application/merge-patch+json': 'merge',
  'application/apply-patch+yaml': 'apply',
  'application/strategic-merge-patch+json': 'strategic',
};

type ParsedPatch = Pick<ReadPatch, 'value' | 'strictErrors'>;

function parseJsonText(call: Call, type: PatchType, text: string, { fieldValidation = 'Warn' }: WriteQuery): ParsedPatch {
  const { value, numbers, repeated, ...read } = readJson(text, false);
  const goField = type === 'json' ? 'Go struct field jsonPatchOp.value' : undefined;
  const problem = read.problem ?? numberProblem(numbers, isCustom(call.served), goField);
  if (problem !== undefined) throw preferNotFound(call, badRequest(formatProblem(type, problem, fieldValidation === 'Ignore')));
  if (!repeated || fieldValidation === 'Ignore') return { value, strictErrors: [] };
  const prefix = type === 'json' ? 'json patch ' : '';
  return { value, strictErrors: repeated.keys.map(({ path }) => `${prefix}${repeatedField(path)}`) };
}

/** Returns the error if the object exists. @throws ApiError NotFound, which takes precedence, if it does not exist */
function preferNotFound(call: Call, error: ApiError): ApiError {
  const { resource } = call.served;
  call.context.registry.storeFor(resource).get(resource, keyOf(call));
  return error;
}

function formatProblem(type: PatchType, problem: string, isLenient: boolean): string {
  if (type === 'strategic' || (type === 'json' && isLenient)) return problem;
  return isLenient ? 'Invalid JSON Patch' : `error decoding patch: ${problem}`;
}

/** Parses an apply configuration, which is YAML. Most configurations are also JSON, which parses much faster. */
async function parseApplyConfiguration(text: string, { fieldValidation = 'Warn' }: WriteQuery): Promise<ParsedPatch> {
  const json = text.trimStart().startsWith('{') ? readJson(text, false) : undefined;
  if (json && json.problem === undefined && !json.repeated) return { value: json.value, strictErrors: [] };
  const { value, repeated, problem } = await readYaml(text);
  if (problem !== undefined) throw badRequest(`error decoding YAML: error converting YAML to JSON: ${problem}`);
  const isObject = typeof value === 'object' && !Array.isArray(value);
  if (!isObject)
    throw badRequest(
      `error decoding YAML: error unmarshaling JSON: while decoding JSON: ${formatUnmarshalError(value, 'value of type map[string]interface {}')}`,
    );
  const duplicates = fieldValidation === 'Ignore' ? [] : repeated;
  if (duplicates.length === 0 || fieldValidation !== 'Strict') return { value: value ?? {}, strictErrors: duplicates };
  throw badRequest(`error strict decoding YAML: error converting YAML to JSON: ${yamlError(duplicates).join('')}`);
}
