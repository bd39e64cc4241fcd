import type { ApiError, ApiObject, WriteOptions } from 'kube-endpoints/port';
import { encodeJson } from '../patch/index.ts';
import { collectCauses, printJson } from '../resources/field/causes.ts';
import { child, isFields } from '../resources/field/read.ts';
import { afterAdmission } from '../resources/index.ts';
import { invalidObject, unknownField, unreadableBody } from '../resources/status.ts';
import type { Caller } from './caller.ts';
import { withMetadata } from './metadata.ts';
import type { Decoded, ResourceStrategy } from './strategy.ts';

/** What becomes of fields that nobody knows. They are warned of where nothing else is said and somebody listens. */
export interface DecodeOptions extends Pick<Caller, 'warn'>, Pick<WriteOptions, 'fieldValidation'> {
  /** What else is wrong with a body where that is looked at strictly: what was found as its text was parsed, such as fields given twice. */
  readonly strictErrors?: readonly string[];
}

/** Reads a body. Mirrors transformDecodeError (1.36, apiserver/pkg/endpoints/handlers). */
export function decodeBody(strategy: ResourceStrategy, body: unknown, options: DecodeOptions = {}): ApiObject {
  const decoded = strategy.decode(body);
  const problem = problemOf(decoded, options);
  if (problem !== undefined) throw unreadableBody(strategy.resource, problem);
  if (decoded.warnings) for (const warning of decoded.warnings) options.warn?.(warning);
  return withReset(body, decoded.object);
}

/** Reads what is stored, in which nothing is wrong. Not to be written to. */
export const decodeStored = (strategy: ResourceStrategy, stored: ApiObject): ApiObject =>
  strategy.decodeStored?.(stored) ?? strategy.decode(stored).object;

/** What is known of a patched object beside what it is. */
export interface PatchedOptions extends DecodeOptions {
  /** How the object, or its patch, is quoted where it is refused. By default the object is, as JSON. */
  readonly quoted?: () => string;
  /** Whether it is restored from a map, as after a strategic merge patch, rather than read from JSON. */
  readonly restored?: boolean;
}

/** Reads what a patch made of an object. Mirrors jsonPatcher and smpPatcher (1.36, apiserver/pkg/endpoints/handlers/patch.go). */
export function decodePatched(strategy: ResourceStrategy, patched: unknown, options: PatchedOptions = {}): ApiObject {
  // Custom resources are maps to the real server, which prints all of them with sorted keys.
  const { quoted = () => (strategy.patchType ? encodeJson(patched) : printJson(patched)) } = options;
  const read = strategy.decode(patched);
  const decoded = options.restored ? restored(strategy, patched, read) : read;
  const problem = problemOf(decoded, options);
  if (problem !== undefined) throw invalidPatch(quoted(), problem);
  for (const warning of decoded.warnings ?? []) options.warn?.(afterAdmission(warning));
  return withReset(patched, decoded.object);
}

/** No managed fields are none to a decoder; but to say so is to have them forgotten. */
function withReset(body: unknown, object: ApiObject): ApiObject {
  const { managedFields } = isFields(body) ? child(body, 'metadata') : {};
  return Array.isArray(managedFields) && managedFields.length === 0 ? withMetadata(object, { managedFields: [] }) : object;
}

/** The answer to a patch that makes no object; it, or what it made, is quoted. */
export function invalidPatch(quoted: string, problem: string): ApiError {
  const causes = collectCauses();
  causes.invalid('patch', quoted, problem);
  return invalidObject({ group: '', kind: '' }, '', causes.list);
}

/** The converter words its complaints in its own way, and sorts them. */
function restored(strategy: ResourceStrategy, patched: unknown, { problem, unknown, ...decoded }: Decoded): Decoded {
  const inOrder = [...unknown].sort((left, right) => (unknownField(left) < unknownField(right) ? -1 : 1));
  return { ...decoded, unknown: inOrder, ...(problem !== undefined && { problem: strategy.restoreProblem?.(patched) ?? problem }) };
}

function problemOf(
  { problem, unknown }: Decoded,
  { fieldValidation = 'Warn', strictErrors = [], warn }: DecodeOptions,
): string | undefined {
  if (problem !== undefined || fieldValidation === 'Ignore') return problem;
  if (unknown.length === 0 && strictErrors.length === 0) return undefined;
  const strict = [...strictErrors, ...unknown.map(unknownField)].slice(0, maxStrictErrors);
  if (fieldValidation === 'Strict') return `strict decoding error: ${strict.join(', ')}`;
  for (const warning of strict) warn?.(warning);
  return undefined;
}

/** How many of them are told of (sigs.k8s.io/json, kubernetes_patch.go). */
const maxStrictErrors = 100;
