import { bytesOf } from '../../formats/names.ts';
import { asJson, type Causes } from '../field/causes.ts';
import { type Fields, text } from '../field/read.ts';

/** Mirrors ValidateManagedFields (apimachinery/pkg/apis/meta/v1/validation, 1.36). */
export function validateManagedFields(managed: readonly Fields[], causes: Causes): void {
  for (const [i, entry] of managed.entries()) {
    const field = `metadata.managedFields[${i}]`;
    const [operation, fieldsType] = [text(entry, 'operation'), text(entry, 'fieldsType')];
    if (operation !== 'Apply' && operation !== 'Update') {
      causes.invalid(`${field}.operation`, asJson(operation), 'must be `Apply` or `Update`');
    }
    if (fieldsType !== '' && fieldsType !== 'FieldsV1') causes.invalid(`${field}.fieldsType`, fieldsType, 'must be `FieldsV1`');
    validateFieldManager(text(entry, 'manager'), `${field}.manager`, causes);
    if (bytesOf(text(entry, 'subresource')) > 256) causes.tooLong(`${field}.subresource`, 256);
  }
}

/** Mirrors ValidateFieldManager: also the rule for the parameter fieldManager of a request. */
export function validateFieldManager(manager: string, field: string, causes: Causes): void {
  if (bytesOf(manager) > 128) causes.tooLong(field, 128);
  if (plain.test(manager)) return;
  let position = 0;
  for (const char of manager) {
    if (!printable.test(char)) causes.invalid(field, manager, `invalid character ${codePoint(char)} (at position ${position})`);
    position += bytesOf(char);
  }
}

const plain = /^[ -~]*$/;
const printable = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;

/** The way Go's %#U prints a character that is not printable. */
const codePoint = (char: string): string => `U+${(char.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, '0')}`;
