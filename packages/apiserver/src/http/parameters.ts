import { isPrintable, quote, type ResourceVersionMatch } from 'kube-endpoints/internal';
import type { WriteOptions } from 'kube-endpoints/port';
import { collectCauses } from '../resources/field/causes.ts';
import { type FieldCause, invalidObject } from '../resources/index.ts';
import { badRequest } from '../store/index.ts';

/** `metav1.ListOptions`, read from the query. */
export interface ListQuery {
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: ResourceVersionMatch;
  readonly limit?: number;
  readonly continue?: string;
  readonly allowWatchBookmarks?: boolean;
  readonly sendInitialEvents?: boolean;
  readonly timeoutSeconds?: number;
  readonly watch?: boolean;
}

/** `metav1.CreateOptions`, `UpdateOptions` and `PatchOptions`, read from the query. */
export interface WriteQuery extends Pick<WriteOptions, 'dryRun' | 'fieldManager' | 'fieldValidation'> {
  readonly force?: boolean;
}

/** @throws ApiError BadRequest if a number is malformed */
export function listQuery(query: URLSearchParams): ListQuery {
  if (query.size === 0) return nothing;
  const values: Record<string, unknown> = {};
  for (const name of Object.keys(listParameters) as (keyof ListQuery)[]) {
    const value = query.get(name);
    if (value !== null) values[name] = listParameters[name](value);
  }
  return values;
}

/** @throws ApiError Invalid if a parameter is */
export function writeQuery(query: URLSearchParams, kind: 'CreateOptions' | 'UpdateOptions'): WriteQuery {
  if (query.size === 0) return nothing;
  const { found, causes } = commonQuery(query);
  requireValid(kind, causes);
  return found;
}

/** @throws ApiError Invalid if a parameter is, or is not allowed for this type of patch */
export function patchQuery(query: URLSearchParams, isApply: boolean): WriteQuery {
  if (query.size === 0 && !isApply) return nothing;
  const { found, causes } = commonQuery(query);
  const force = query.get('force');
  const own = collectCauses();
  if (isApply && !found.fieldManager) own.required('fieldManager', 'is required for apply patch');
  if (!isApply && force !== null) own.forbidden('force', 'may not be specified for non-apply patch');
  requireValid('PatchOptions', [...own.list, ...causes]);
  return { ...found, ...(force !== null && { force: boolOf(force) }) };
}

/** @throws ApiError Invalid if there are causes */
export function requireValid(kind: string, causes: readonly FieldCause[]): void {
  if (causes.length > 0) throw invalidObject({ group: 'meta.k8s.io', kind }, '', causes);
}

/** Everything except "0" and "false" is true: `Convert_Slice_string_To_bool` (1.36, apimachinery/pkg/runtime/conversion.go). */
export const boolOf = (text: string): boolean => text !== '0' && text.toLowerCase() !== 'false';

/** Parses a 64-bit integer like Go's ParseInt. @throws ApiError BadRequest if it is malformed or out of range */
export function integerOf(text: string): number {
  const why = !/^[+-]?\d+$/.test(text)
    ? 'invalid syntax'
    : BigInt.asIntN(64, BigInt(text)) !== BigInt(text)
      ? 'value out of range'
      : undefined;
  if (why !== undefined) throw badRequest(`strconv.ParseInt: parsing ${quote(text)}: ${why}`);
  return Number(text);
}

const nothing: Record<string, never> = {};

const textOf = (text: string): string => text;

const listParameters: Readonly<Record<keyof ListQuery, (value: string) => unknown>> = {
  labelSelector: textOf,
  fieldSelector: textOf,
  watch: boolOf,
  allowWatchBookmarks: boolOf,
  resourceVersion: textOf,
  resourceVersionMatch: textOf,
  timeoutSeconds: integerOf,
  limit: integerOf,
  continue: textOf,
  sendInitialEvents: boolOf,
};

function commonQuery(query: URLSearchParams): { readonly found: WriteQuery; readonly causes: readonly FieldCause[] } {
  const fieldManager = query.get('fieldManager') ?? '';
  const dryRun = query.getAll('dryRun');
  const fieldValidation = query.get('fieldValidation') ?? '';
  const causes = [
    ...problemsOfManager(fieldManager),
    ...problemsOfDryRun(dryRun),
    ...problemsOfChoice('fieldValidation', fieldValidation, ['', 'Ignore', 'Strict', 'Warn']),
  ];
  const found: WriteQuery = {
    ...(fieldManager !== '' && { fieldManager }),
    ...(dryRun.length > 0 && { dryRun: true }),
    ...(fieldValidation !== '' && { fieldValidation: fieldValidation as NonNullable<WriteOptions['fieldValidation']> }),
  };
  return { found, causes };
}

/** Mirrors ValidateFieldManager (1.36, apimachinery/pkg/apis/meta/v1/validation/validation.go). */
function problemsOfManager(name: string): readonly FieldCause[] {
  const causes = collectCauses();
  if (Buffer.byteLength(name) > 128) causes.tooLong('fieldManager', 128);
  let position = 0;
  for (const char of name) {
    if (!isPrintable(char)) {
      const code = (char.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, '0');
      const message = `Invalid value: ${quote(name)}: invalid character U+${code} (at position ${position})`;
      causes.add([{ reason: 'FieldValueInvalid', message, field: 'fieldManager' }]);
    }
    position += Buffer.byteLength(char);
  }
  return causes.list;
}

export function problemsOfDryRun(values: readonly string[]): readonly FieldCause[] {
  const causes = collectCauses();
  if (values.some((value) => value !== 'All')) causes.notSupported('dryRun', values, ['All']);
  return causes.list;
}

function problemsOfChoice(field: string, value: string, choices: readonly string[]): readonly FieldCause[] {
  const causes = collectCauses();
  if (!choices.includes(value)) causes.notSupported(field, value, choices);
  return causes.list;
}
