import type { ApiObject, WriteOptions } from '../../port/index.ts';
import { collectCauses } from '../resources/field/causes.ts';
import { invalidObject, unknownField, unreadableBody } from '../resources/status.ts';
import type { Decoded, ResourceStrategy } from './strategy.ts';

type FieldValidation = WriteOptions['fieldValidation'];

/** What becomes of fields that nobody knows. They are warned of where nothing else is said and somebody listens. */
export interface DecodeOptions {
  readonly fieldValidation?: FieldValidation;
  readonly warn?: (warning: string) => void;
}

/** Reads a body. Mirrors transformDecodeError (1.36, apiserver/pkg/endpoints/handlers). */
export function decodeBody(strategy: ResourceStrategy, body: unknown, options: DecodeOptions = {}): ApiObject {
  const decoded = strategy.decode(body);
  const problem = problemOf(decoded, [], options);
  if (problem === undefined) return decoded.object;
  throw unreadableBody(strategy.resource, problem);
}

/** Reads what a patch made of an object. Mirrors jsonPatcher (1.36, apiserver/pkg/endpoints/handlers/patch.go). */
export function decodePatched(
  strategy: ResourceStrategy,
  patched: unknown,
  strictErrors: readonly string[],
  options: DecodeOptions = {},
): ApiObject {
  const decoded = strategy.decode(patched);
  const problem = problemOf(decoded, strictErrors, options);
  if (problem === undefined) return decoded.object;
  const causes = collectCauses();
  causes.invalid('patch', JSON.stringify(patched), problem);
  throw invalidObject({ group: '', kind: '' }, '', causes.list);
}

function problemOf({ problem, unknown }: Decoded, others: readonly string[], options: DecodeOptions): string | undefined {
  const { fieldValidation = 'Warn', warn } = options;
  if (problem !== undefined || fieldValidation === 'Ignore') return problem;
  const strict = [...others, ...unknown.map(unknownField)];
  if (fieldValidation === 'Strict') return strict.length > 0 ? `strict decoding error: ${strict.join(', ')}` : undefined;
  for (const warning of strict) warn?.(warning);
  return undefined;
}
