import { quote } from 'kube-endpoints/internal/apimachinery';
import type { Format } from '../../formats/names.ts';
import { stringifyExactly } from '../../store/index.ts';
import { type Fields, has, text } from './read.ts';

export type CauseReason =
  | 'FieldValueDuplicate'
  | 'FieldValueForbidden'
  | 'FieldValueInvalid'
  | 'FieldValueNotFound'
  | 'FieldValueNotSupported'
  | 'FieldValueRequired'
  | 'FieldValueTooLong'
  | 'FieldValueTooMany'
  | 'FieldValueTypeInvalid'
  | 'InternalError';

/** A validation error of one field, in the form of a Status cause. */
export interface FieldCause {
  readonly reason: CauseReason;
  readonly message: string;
  readonly field: string;
}

/** Collects validation errors with the messages of `field.Error.ErrorBody` (apimachinery/pkg/util/validation/field, 1.36). */
export interface Causes {
  readonly list: readonly FieldCause[];
  required(field: string, detail?: string): void;
  invalid(field: string, value: unknown, detail: string): void;
  notSupported(field: string, value: unknown, supported: readonly string[]): void;
  duplicate(field: string, value: unknown, detail?: string): void;
  forbidden(field: string, detail: string): void;
  tooLong(field: string, limit: number, unit?: 'bytes' | 'characters'): void;
  tooMany(field: string, count: number, limit: number): void;
  notFound(field: string, value: unknown, detail?: string): void;
  internal(field: string, detail: string): void;
  add(causes: readonly FieldCause[]): void;
}

export function collectCauses(): Causes {
  const list: FieldCause[] = [];
  const push = (reason: CauseReason, field: string, head: string, detail: string): void => {
    list.push({ reason, message: detail === '' ? head : `${head}: ${detail}`, field });
  };
  return {
    list,
    required: (field, detail = '') => push('FieldValueRequired', field, 'Required value', detail),
    invalid: (field, value, detail) => push('FieldValueInvalid', field, `Invalid value: ${printValue(value)}`, detail),
    notSupported: (field, value, supported) =>
      push('FieldValueNotSupported', field, `Unsupported value: ${printValue(value)}`, supportedValues(supported)),
    duplicate: (field, value, detail = '') => push('FieldValueDuplicate', field, `Duplicate value: ${printValue(value)}`, detail),
    forbidden: (field, detail) => push('FieldValueForbidden', field, 'Forbidden', detail),
    tooLong: (field, limit, unit = 'bytes') =>
      push('FieldValueTooLong', field, 'Too long', `may not be more than ${limit} ${limit === 1 ? unit.slice(0, -1) : unit}`),
    tooMany: (field, count, limit) =>
      push('FieldValueTooMany', field, `Too many: ${count}`, `must have at most ${limit} ${limit === 1 ? 'item' : 'items'}`),
    notFound: (field, value, detail = '') => push('FieldValueNotFound', field, `Not found: ${printValue(value)}`, detail),
    internal: (field, detail) => push('InternalError', field, 'Internal error', detail),
    add: (causes) => {
      list.push(...causes);
    },
  };
}

/** A value of a named Go string type, which Go's messages print as JSON instead of with %q. */
class JsonValue {
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }
}

export const asJson = (value: unknown): JsonValue => new JsonValue(value);

function printValue(value: unknown): string {
  if (typeof value === 'string') return quote(value);
  if (value instanceof JsonValue) return printJson(value.value);
  return printJson(value);
}

/** JSON as Go's encoder writes it, with HTML characters escaped. */
export const printJson = (value: unknown): string =>
  stringifyExactly(value ?? null).replace(/[<>&\u2028\u2029]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);

const supportedValues = (values: readonly string[]): string =>
  values.length === 0 ? '' : `supported values: ${values.map(quote).join(', ')}`;

/** Validates an optional string against a list of values. The error prints it as JSON, because in Go it has a named string type. */
export function validateChoice(object: Fields, name: string, field: string, choices: readonly string[], causes: Causes): void {
  if (has(object, name) && !choices.includes(text(object, name))) causes.notSupported(field, asJson(text(object, name)), choices);
}

/** Like `validateChoice` for a required field. */
export function validateRequiredChoice(object: Fields, name: string, field: string, choices: readonly string[], causes: Causes): void {
  if (text(object, name) === '') causes.required(field);
  else validateChoice(object, name, field, choices, causes);
}

/** Validates a string, one cause per message. */
export function validateFormat(value: string, format: Format, field: string, causes: Causes): void {
  for (const message of format(value)) causes.invalid(field, value, message);
}

/** Like `validateFormat` for a required string. */
export function validateRequiredFormat(value: string, format: Format, field: string, causes: Causes): void {
  if (value === '') causes.required(field);
  else validateFormat(value, format, field, causes);
}
