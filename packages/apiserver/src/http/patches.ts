import type { ApiError, PatchType } from 'kube-endpoints/port';
import { keyOf } from '../registry/metadata.ts';
import { badRequest } from '../store/index.ts';
import { bytesOf, repeatedField, yamlError } from './bodies.ts';
import { type Call, callerOf, type Result } from './call.ts';
import { textOf } from './errors.ts';
import { numberProblem, readJson } from './json.ts';
import { isCustom } from './kinds.ts';
import { unsupportedMediaType, unsupportedPatchType } from './negotiation.ts';
import { patchQuery, type WriteQuery } from './parameters.ts';
import { readYaml } from './yaml.ts';

/** A parsed patch. */
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

/** Checked before the rest of the request is read. @throws ApiError UnsupportedMediaType if it is not a supported type of patch */
export function requirePatchType(contentType: string | undefined, custom: boolean): PatchType {
  const [media = ''] = (contentType ?? '').split(';');
  const type = Object.hasOwn(patchTypes, media) ? patchTypes[media] : undefined;
  if (type !== undefined && !(custom && type === 'strategic')) return type;
  throw custom ? unsupportedMediaType(Object.keys(patchTypes).filter((each) => patchTypes[each] !== 'strategic')) : unsupportedPatchType();
}

export async function readPatch(call: Call): Promise<ReadPatch> {
  const { context, request, served } = call;
  const type = requirePatchType(request.headers['content-type'], isCustom(served));
  const bytes = await bytesOf(context, request);
  const query = patchQuery(request.query, type === 'apply');
  const read = type === 'apply' ? await readApplied(textOf(bytes), query) : readMerged(call, type, textOf(bytes), query);
  return { type, query, ...read };
}

const patchTypes: Readonly<Record<string, PatchType>> = {
  'application/json-patch+json': 'json',
  'application/merge-patch+json': 'merge',
  'application/apply-patch+yaml': 'apply',
  'application/strategic-merge-patch+json': 'strategic',
};

type Read = Pick<ReadPatch, 'value' | 'strictErrors'>;

function readMerged(call: Call, type: PatchType, text: string, { fieldValidation = 'Warn' }: WriteQuery): Read {
  const { value, numbers, repeated, ...read } = readJson(text, false);
  const into = type === 'json' ? 'Go struct field jsonPatchOp.value' : undefined;
  const problem = read.problem ?? numberProblem(numbers, isCustom(call.served), into);
  if (problem !== undefined) throw requireExisting(call, badRequest(problemWith(type, problem, fieldValidation === 'Ignore')));
  if (!repeated || fieldValidation === 'Ignore') return { value, strictErrors: [] };
  const prefix = type === 'json' ? 'json patch ' : '';
  return { value, strictErrors: repeated.keys.map(({ path }) => `${prefix}${repeatedField(path)}`) };
}

/** Returns the error if the object exists. @throws ApiError NotFound, which takes precedence, if it does not exist */
function requireExisting(call: Call, error: ApiError): ApiError {
  const { resource } = call.served;
  call.context.registry.storeFor(resource).get(resource, keyOf(call));
  return error;
}

function problemWith(type: PatchType, problem: string, loose: boolean): string {
  if (type === 'strategic' || (type === 'json' && loose)) return problem;
  return loose ? 'Invalid JSON Patch' : `error decoding patch: ${problem}`;
}

/** Parses an apply configuration, which is YAML. Most of them are also JSON, which parses much faster. */
async function readApplied(text: string, { fieldValidation = 'Warn' }: WriteQuery): Promise<Read> {
  const json = text.trimStart().startsWith('{') ? readJson(text, false) : undefined;
  if (json && json.problem === undefined && !json.repeated) return { value: json.value, strictErrors: [] };
  const { value, repeated, problem } = await readYaml(text);
  if (problem !== undefined) throw badRequest(`error decoding YAML: error converting YAML to JSON: ${problem}`);
  const isObject = typeof value === 'object' && !Array.isArray(value);
  if (!isObject) throw badRequest(`error decoding YAML: error unmarshaling JSON: while decoding JSON: ${typeProblem(value)}`);
  const found = fieldValidation === 'Ignore' ? [] : repeated;
  if (found.length === 0 || fieldValidation !== 'Strict') return { value: value ?? {}, strictErrors: found };
  throw badRequest(`error strict decoding YAML: error converting YAML to JSON: ${yamlError(found).join('')}`);
}

function typeProblem(value: unknown): string {
  const type = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
  return `json: cannot unmarshal ${type} into Go value of type map[string]interface {}`;
}
