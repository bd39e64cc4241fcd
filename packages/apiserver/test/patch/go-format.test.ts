import { expect, test } from 'vitest';
import { encode, format, formatFloat, formatSyntax, kindOf, typeName } from '../../src/patch/go-format.ts';

test.each([
  [null, 'nil', '%!s(<nil>)'],
  [true, 'bool', 'bool'],
  [1, 'int64', 'int64'],
  [1.5, 'float64', 'float64'],
  ['a', 'string', 'string'],
  [{}, 'map', 'map[string]interface {}'],
  [[], 'slice', '[]interface {}'],
])('kindOf %j is %s, and typeName is %s', (value, kind, name) => {
  expect(kindOf(value)).toBe(kind);
  expect(typeName(value)).toBe(name);
});

test("format prints like Go's %v, and formatSyntax like %#v", () => {
  const value = { b: [1, 'x', null, 2.5], a: { c: true } };
  expect(format(value)).toBe('map[a:map[c:true] b:[1 x <nil> 2.5]]');
  expect(formatSyntax(value)).toBe(
    'map[string]interface {}{"a":map[string]interface {}{"c":true}, "b":[]interface {}{1, "x", interface {}(nil), 2.5}}',
  );
});

test.each([
  [80, '80'],
  [999999, '999999'],
  [1000000, '1e+06'],
  [123456789, '1.23456789e+08'],
  [0.0001, '0.0001'],
  [0.00001, '1e-05'],
  [-2.5, '-2.5'],
  [0, '0'],
])('formatFloat prints %d as %s', (value, text) => {
  expect(formatFloat(value)).toBe(text);
});

test('encode sorts keys and escapes HTML', () => {
  expect(encode({ b: '<&>\u2028', a: [null, undefined] })).toBe('{"a":[null,null],"b":"\\u003c\\u0026\\u003e\\u2028"}');
});
