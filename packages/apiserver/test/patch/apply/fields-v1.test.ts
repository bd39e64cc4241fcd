import { expect, test } from 'vitest';
import { pathsOf } from '../../../src/patch/apply/field-set.ts';
import { formatFields, parseFields } from '../../../src/patch/apply/fields-v1.ts';

test('what was read is written the same, in order', () => {
  const text =
    '{"f:metadata":{"f:finalizers":{".":{},"v:\\"a\\"":{}},"f:labels":{".":{},"f:__proto__":{},"f:b":{}}},"f:spec":{"f:ports":{"k:{\\"port\\":80}":{".":{},"f:name":{}}}}}';
  expect(JSON.stringify(formatFields(parseFields(JSON.parse(text))))).toBe(text);
});

test('other spellings and orders are brought into form', () => {
  const fields = parseFields({ 'f:b': {}, 'f:a': { 'k:{"y":1,"x":2}': { 'f:c': {} }, 'k:{"x":2,"y":1}': {} } });
  expect(JSON.stringify(formatFields(fields))).toBe('{"f:a":{"k:{\\"x\\":2,\\"y\\":1}":{".":{},"f:c":{}}},"f:b":{}}');
});

test('elements of unknown kinds are dropped', () => {
  expect(pathsOf(parseFields({ 'x:a': { 'f:b': {} }, 'f:c': { 'x:d': {} } }))).toEqual([['f:c']]);
});

test('no fields are none', () => {
  expect(formatFields(parseFields(undefined))).toEqual({});
});

test.each([[{ a: {} }], [{ 'f:a': 5 }], [[]], [{ 'k:5': {} }]])('%j is no set of fields', (fields) => {
  expect(() => parseFields(fields)).toThrow(SyntaxError);
});
