import { quote, type ResourceVersionMatch } from 'kube-endpoints/internal/apimachinery';
import type { WriteOptions } from 'kube-endpoints/port';
import { type Causes, collectCauses } from '../resources/field/causes.ts';
import { type FieldCause, invalidObject } from '../resources/index.ts';
import { validateFieldManager } from '../resources/metadata/validate.ts';
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

/** Parses the options of a list or watch. @throws ApiError BadRequest if a number is malformed */
export function parseListQuery(query: URLSearchParams): ListQuery {
  if (query.size === 0) return emptyQuery;
  const values: Record<string, unknown> = {};
  for (const name of Object.keys(listParameterParsers) as (keyof ListQuery)[]) {
    const value = query.get(name);
    if (value !== null) values[name] = listParameterParsers[name](value);
  }
  return values;
}

/** Parses the options of a create or update. @throws ApiError Invalid if a parameter is invalid */
export function parseWriteQuery(query: URLSearchParams, kind: 'CreateOptions' | 'UpdateOptions'): WriteQuery {
  if (query.size === 0) return emptyQuery;
  const { options, causes } = parseCommonQuery(query);
  requireValid(kind, causes);
  return options;
}

/** Parses the options of a patch. @throws ApiError Invalid if a parameter is invalid or not allowed for this type of patch */
export function parsePatchQuery(query: URLSearchParams, isApply: boolean): WriteQuery {
  if (query.size === 0 && !isApply) return emptyQuery;
  const { options, causes } = parseCommonQuery(query);
  const force = query.get('force');
  const patchCauses = collectCauses();
  if (isApply && !options.fieldManager) patchCauses.required('fieldManager', 'is required for apply patch');
  if (!isApply && force !== null) patchCauses.forbidden('force', 'may not be specified for non-apply patch');
  requireValid('PatchOptions', [...patchCauses.list, ...causes]);
  return { ...options, ...(force !== null && { force: parseBool(force) }) };
}

/** @throws ApiError Invalid if there are causes */
export function requireValid(kind: string, causes: readonly FieldCause[]): void {
  if (causes.length > 0) throw invalidObject({ group: 'meta.k8s.io', kind }, '', causes);
}

/** Everything except "0" and "false" is true: `Convert_Slice_string_To_bool` (1.36, apimachinery/pkg/runtime/conversion.go). */
export const parseBool = (text: string): boolean => text !== '0' && text.toLowerCase() !== 'false';

/** Parses a 64-bit integer like Go's ParseInt. @throws ApiError BadRequest if the text is malformed or out of range */
export function parseInteger(text: string): number {
  const problem = !/^[+-]?\d+$/.test(text)
    ? 'invalid syntax'
    : BigInt.asIntN(64, BigInt(text)) !== BigInt(text)
      ? 'value out of range'
      : undefined;
  if (problem !== undefined) throw badRequest(`strconv.ParseInt: parsing ${quote(text)}: ${problem}`);
  return Number(text);
}

const emptyQuery: Record<string, never> = {};

const toText = (text: string): string => text;

const listParameterParsers: Readonly<Record<keyof ListQuery, (value: string) => unknown>> = {
  labelSelector: toText,
  fieldSelector: toText,
  watch: parseBool,
  allowWatchBookmarks: parseBool,
  resourceVersion: toText,
  resourceVersionMatch: toText,
  timeoutSeconds: parseInteger,
  limit: parseInteger,
  continue: toText,
  sendInitialEvents: parseBool,
};

function parseCommonQuery(query: URLSearchParams): { readonly options: WriteQuery; readonly causes: readonly FieldCause[] } {
  const fieldManager = query.get('fieldManager') ?? '';
  const dryRun = query.getAll('dryRun');
  const fieldValidation = query.get('fieldValidation') ?? '';
  const causes = collectCauses();
  validateFieldManager(fieldManager, 'fieldManager', causes);
  validateDryRun(dryRun, causes);
  if (!fieldValidations.includes(fieldValidation)) causes.notSupported('fieldValidation', fieldValidation, fieldValidations);
  const options: WriteQuery = {
    ...(fieldManager !== '' && { fieldManager }),
    ...(dryRun.length > 0 && { dryRun: true }),
    ...(fieldValidation !== '' && { fieldValidation: fieldValidation as NonNullable<WriteOptions['fieldValidation']> }),
  };
  return { options, causes: causes.list };
}

const fieldValidations: readonly string[] = ['', 'Ignore', 'Strict', 'Warn'];

export function validateDryRun(values: readonly string[], causes: Causes): void {
  if (values.some((value) => value !== 'All')) causes.notSupported('dryRun', values, ['All']);
}
