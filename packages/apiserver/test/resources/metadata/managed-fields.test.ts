import { expect, test } from 'vitest';
import { validateFieldManager, validateManagedFields } from '../../../src/resources/metadata/managed-fields.ts';
import { fieldsOf, found } from '../support.ts';

test('knows operations, types and lengths', () => {
  const entries = [
    { operation: 'Apply', fieldsType: 'FieldsV1', manager: 'a' },
    { operation: 'Odd', fieldsType: 'V2', subresource: 'x'.repeat(257), manager: 'x'.repeat(129) },
  ];
  expect(fieldsOf(found((causes) => validateManagedFields(entries, causes)))).toEqual(
    ['operation', 'fieldsType', 'manager', 'subresource'].map((name) => `metadata.managedFields[1].${name}`),
  );
});

test('a manager can be printed', () => {
  expect(found((causes) => validateFieldManager('é\u0001', 'f', causes))).toEqual([
    'FieldValueInvalid f: Invalid value: "é\\x01": invalid character U+0001 (at position 2)',
  ]);
});
