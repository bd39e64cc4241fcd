import type { ApiError, ApiObject, WriteOptions } from 'kube-endpoints/port';
import { encodeJson } from '../patch/index.ts';
import { collectCauses, printJson } from '../resources/field/causes.ts';
import { child, isFields } from '../resources/field/read.ts';
import { rewordAfterAdmission } from '../resources/index.ts';
import { createUnreadableBodyError, formatUnknownField, invalidObject } from '../resources/status.ts';
import type { Caller } from './caller.ts';
import { withMetadata } from './metadata.ts';
import type { DecodedBody, ResourceStrategy } from './strategy.ts';

/** How unknown fields are handled. By default they cause warnings if `warn` is set. */
export interface DecodeOptions extends Pick<Caller, 'warn'>, Pick<WriteOptions, 'fieldValidation'> {
  /** Additional strict decoding errors, found while the text was parsed, for example duplicate fields. */
  readonly strictErrors?: readonly string[];
}

/** Decodes a request body. Mirrors transformDecodeError (1.36, apiserver/pkg/endpoints/handlers). */
export function decodeBody(strategy: ResourceStrategy, body: unknown, options: DecodeOptions = {}): ApiObject {
  const decoded = strategy.decode(body);
  const problem = applyFieldValidation(decoded, options);
  if (problem !== undefined) throw createUnreadableBodyError(strategy.resource, problem);
  if (decoded.warnings) for (const warning of decoded.warnings) options.warn?.(warning);
  return preserveEmptyManagedFields(body, decoded.object);
}

/** Decodes a stored object, which is valid. The result must not be modified. */
export const decodeStored = (strategy: ResourceStrategy, stored: ApiObject): ApiObject =>
  strategy.decodeStored?.(stored) ?? strategy.decode(stored).object;

export interface DecodePatchedOptions extends DecodeOptions {
  /** Prints the object or its patch for errors. Defaults to the object as JSON. */
  readonly printQuoted?: () => string;
  /** Convert from a map, as after a strategic merge patch, instead of from JSON. */
  readonly isFromMap?: boolean;
}

/** Decodes a patched object. Mirrors jsonPatcher and smpPatcher (1.36, apiserver/pkg/endpoints/handlers/patch.go). */
export function decodePatched(strategy: ResourceStrategy, patched: unknown, options: DecodePatchedOptions = {}): ApiObject {
  // Upstream handles custom resources as maps and prints them with sorted keys.
  const { printQuoted = () => (strategy.patchType ? encodeJson(patched) : printJson(patched)) } = options;
  const parsed = strategy.decode(patched);
  const decoded = options.isFromMap ? withMapErrors(strategy, patched, parsed) : parsed;
  const problem = applyFieldValidation(decoded, options);
  if (problem !== undefined) throw invalidPatch(printQuoted(), problem);
  for (const warning of decoded.warnings ?? []) options.warn?.(rewordAfterAdmission(warning));
  return preserveEmptyManagedFields(patched, decoded.object);
}

/** Restores an empty managedFields list, which the decoder drops: in a request, the empty list resets the managed fields. */
function preserveEmptyManagedFields(body: unknown, object: ApiObject): ApiObject {
  const { managedFields } = isFields(body) ? child(body, 'metadata') : {};
  return Array.isArray(managedFields) && managedFields.length === 0 ? withMetadata(object, { managedFields: [] }) : object;
}

/** Creates the error for a patch with an invalid result. @param quoted the patch or the result */
export function invalidPatch(quoted: string, problem: string): ApiError {
  const causes = collectCauses();
  causes.invalid('patch', quoted, problem);
  return invalidObject({ group: '', kind: '' }, '', causes.list);
}

/** Applies the error messages and the order of unknown fields of upstream's converter from maps. */
function withMapErrors(strategy: ResourceStrategy, patched: unknown, { problem, unknown, ...decoded }: DecodedBody): DecodedBody {
  const sortedUnknown = [...unknown].sort((left, right) => (formatUnknownField(left) < formatUnknownField(right) ? -1 : 1));
  return { ...decoded, unknown: sortedUnknown, ...(problem !== undefined && { problem: strategy.restoreProblem?.(patched) ?? problem }) };
}

/** Returns the problem for which a body is refused, if any. With "Warn", reports unknown and duplicate fields as warnings. */
function applyFieldValidation(
  { problem, unknown }: DecodedBody,
  { fieldValidation = 'Warn', strictErrors = [], warn }: DecodeOptions,
): string | undefined {
  if (problem !== undefined || fieldValidation === 'Ignore') return problem;
  if (unknown.length === 0 && strictErrors.length === 0) return undefined;
  const fieldErrors = [...strictErrors, ...unknown.map(formatUnknownField)].slice(0, maxStrictErrors);
  if (fieldValidation === 'Strict') return `strict decoding error: ${fieldErrors.join(', ')}`;
  for (const warning of fieldErrors) warn?.(warning);
  return undefined;
}

/** Maximum number of strict errors reported (sigs.k8s.io/json, kubernetes_patch.go). */
const maxStrictErrors = 100;
