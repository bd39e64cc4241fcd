import type { Causes } from '../../../resources/field/causes.ts';
import { printJson } from '../../../resources/field/causes.ts';
import { printValue } from '../../validation/problem.ts';

/** A finding about a value that Go prints with its keys sorted. */
export function invalidValue(causes: Causes, field: string, value: unknown, detail: string): void {
  causes.add([{ reason: 'FieldValueInvalid', field, message: `Invalid value: ${printValue(value)}: ${detail}` }]);
}

/** The same about a value in the order of its fields, as structs are printed. */
export function invalidStruct(causes: Causes, field: string, value: unknown, detail: string): void {
  causes.add([{ reason: 'FieldValueInvalid', field, message: `Invalid value: ${printJson(value)}: ${detail}` }]);
}
