import type { ServiceFailure, StatusCause } from './types.ts';

/**
 * Collects causes, with values formatted as in field errors. Mirrors Error.ErrorBody
 * (k8s.io/apimachinery/pkg/util/validation/field/errors.go).
 */
export interface Causes {
  readonly list: StatusCause[];
  invalid(field: string, value: unknown, detail: string): void;
  required(field: string): void;
  notSupported(field: string, value: string, supported: readonly string[]): void;
  duplicate(field: string, value: string): void;
  internal(field: string, detail: string): void;
}

/** @param asJSON whether lists are printed as JSON; otherwise in Go syntax, as up to 1.33 */
export function createCauses(asJSON: boolean): Causes {
  const list: StatusCause[] = [];
  const print = asJSON ? printJSON : printGoSyntax;
  const add = (reason: StatusCause['reason'], field: string, message: string): void => {
    list.push({ reason, message, field });
  };
  return {
    list,
    invalid: (field, value, detail) => add('FieldValueInvalid', field, `Invalid value: ${print(value)}: ${detail}`),
    required: (field) => add('FieldValueRequired', field, 'Required value'),
    notSupported: (field, value, supported) =>
      add('FieldValueNotSupported', field, `Unsupported value: ${print(value)}: supported values: ${supported.map(printJSON).join(', ')}`),
    duplicate: (field, value) => add('FieldValueDuplicate', field, `Duplicate value: ${print(value)}`),
    internal: (field, detail) => add('InternalError', field, `Internal error: ${detail}`),
  };
}

export const createInvalidFailure = ({ list }: Causes): ServiceFailure => ({ reason: 'Invalid', causes: [...list] });

/** The failure with these causes; undefined if there are no causes. */
export const failureOf = (causes: Causes): ServiceFailure | undefined =>
  causes.list.length > 0 ? createInvalidFailure(causes) : undefined;

/** The API server's response to a panic; nothing is stored. */
export const createPanicFailure = (): ServiceFailure => ({
  reason: 'Unknown',
  message: 'This request caused apiserver to panic. Look in the logs for details.',
});

export const createInternalFailure = (message: string): ServiceFailure => ({ reason: 'InternalError', message });

/** An empty list stands for a nil slice, which Go prints as null. */
const printJSON = (value: unknown): string =>
  Array.isArray(value) && value.length === 0 ? 'null' : escapeHTML(JSON.stringify(value ?? null));

/** Go's JSON encoder escapes these three characters for HTML. */
const escapeHTML = (text: string): string => text.replace(/[<>&]/g, (each) => `\\u00${each.charCodeAt(0).toString(16)}`);

/** Prints lists in Go syntax, other values as JSON. */
function printGoSyntax(value: unknown): string {
  if (!Array.isArray(value)) return typeof value === 'string' ? JSON.stringify(value) : String(value ?? 'null');
  return value.length === 0 ? '[]string(nil)' : `[]string{${value.map((each) => JSON.stringify(each)).join(', ')}}`;
}
