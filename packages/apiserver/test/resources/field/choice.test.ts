import { expect, test } from 'vitest';
import { validateChoice, validateFormat, validateNeededChoice } from '../../../src/resources/field/choice.ts';
import { found } from '../support.ts';

test('a choice may be left out unless it is needed', () => {
  expect(found((causes) => validateChoice({}, 'a', 'f', ['x'], causes))).toEqual([]);
  expect(found((causes) => validateNeededChoice({}, 'a', 'f', ['x'], causes))).toEqual(['FieldValueRequired f: Required value']);
  expect(found((causes) => validateNeededChoice({ a: 'y' }, 'a', 'f', ['x'], causes))).toEqual([
    'FieldValueNotSupported f: Unsupported value: "y": supported values: "x"',
  ]);
});

test('a format may find several things', () => {
  expect(found((causes) => validateFormat('v', () => ['one', 'two'], 'f', causes))).toHaveLength(2);
});
