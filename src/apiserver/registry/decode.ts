import type { ApiObject, WriteOptions } from '../../port/index.ts';
import { collectCauses } from '../resources/field/causes.ts';
import { afterAdmission } from '../resources/index.ts';
import { invalidObject, unknownField, unreadableBody } from '../resources/status.ts';
import type { Caller } from './caller.ts';
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
  return decoded.object;
}

/** Reads what is stored, in which nothing is wrong. Not to be written to. */
export const decodeStored = (strategy: ResourceStrategy, stored: ApiObject): ApiObject =>
  strategy.decodeStored?.(stored) ?? strategy.decode(stored).object;

/** Reads what a patch made of an object. Mirrors jsonPatcher (1.36, apiserver/pkg/endpoints/handlers/patch.go). */
export function decodePatched(strategy: ResourceStrategy, patched: unknown, options: DecodeOptions = {}): ApiObject {
  const decoded = strategy.decode(patched);
  const problem = problemOf(decoded, options);
  if (problem === undefined) {
    for (const warning of decoded.warnings ?? []) options.warn?.(afterAdmission(warning));
    return decoded.object;
  }
  const causes = collectCauses();
  causes.invalid('patch', JSON.stringify(patched), problem);
  throw invalidObject({ group: '', kind: '' }, '', causes.list);
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
