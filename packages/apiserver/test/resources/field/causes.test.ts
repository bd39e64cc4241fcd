import { expect, test } from 'vitest';
import { asJson, printJson, validateChoice, validateFormat, validateRequiredChoice } from '../../../src/resources/field/causes.ts';
import { reportedCauses } from '../support.ts';

test('causes have the messages of Kubernetes', () => {
  expect(
    reportedCauses((causes) => {
      causes.required('a');
      causes.required('a', 'why');
      causes.invalid('a', 'x"\u0001', 'why');
      causes.invalid('a', 5, 'why');
      causes.invalid('a', null, '');
      causes.notSupported('a', asJson('<x>'), ['p', 'q']);
      causes.duplicate('a', { b: 1 });
      causes.forbidden('a', 'why');
      causes.tooLong('a', 1);
      causes.tooMany('a', 3, 2);
      causes.notFound('a', 'x');
      causes.internal('a', 'why');
    }),
  ).toEqual([
    'FieldValueRequired a: Required value',
    'FieldValueRequired a: Required value: why',
    'FieldValueInvalid a: Invalid value: "x\\"\\x01": why',
    'FieldValueInvalid a: Invalid value: 5: why',
    'FieldValueInvalid a: Invalid value: null',
    'FieldValueNotSupported a: Unsupported value: "\\u003cx\\u003e": supported values: "p", "q"',
    'FieldValueDuplicate a: Duplicate value: {"b":1}',
    'FieldValueForbidden a: Forbidden: why',
    'FieldValueTooLong a: Too long: may not be more than 1 byte',
    'FieldValueTooMany a: Too many: 3: must have at most 2 items',
    'FieldValueNotFound a: Not found: "x"',
    'InternalError a: Internal error: why',
  ]);
});

test('printJson escapes HTML', () => expect(printJson({ a: '<&>' })).toBe('{"a":"\\u003c\\u0026\\u003e"}'));

test('validateChoice accepts an absent value, validateRequiredChoice does not', () => {
  expect(reportedCauses((causes) => validateChoice({}, 'a', 'f', ['x'], causes))).toEqual([]);
  expect(reportedCauses((causes) => validateRequiredChoice({}, 'a', 'f', ['x'], causes))).toEqual(['FieldValueRequired f: Required value']);
  expect(reportedCauses((causes) => validateRequiredChoice({ a: 'y' }, 'a', 'f', ['x'], causes))).toEqual([
    'FieldValueNotSupported f: Unsupported value: "y": supported values: "x"',
  ]);
});

test('validateFormat reports every problem', () => {
  expect(reportedCauses((causes) => validateFormat('v', () => ['one', 'two'], 'f', causes))).toHaveLength(2);
});
