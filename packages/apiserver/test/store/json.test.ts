import { describe, expect, it } from 'vitest';
import { parseJson, parseNumber, writeJson } from '../../src/store/json.ts';

describe('parseJson', () => {
  it.each([
    ['9007199254740991', 9007199254740991],
    ['9007199254740992', 9007199254740992n],
    ['9007199254740993', 9007199254740993n],
    ['-9223372036854775808', -9223372036854775808n],
    ['9223372036854775807', 9223372036854775807n],
    ['9223372036854775808', 2 ** 63],
    ['1e17', 1e17],
    ['9007199254740993.0', 9007199254740992],
    ['"9007199254740993"', '9007199254740993'],
  ])('reads %s exactly if it is an integer of 64 bits', (text, value) => {
    expect(parseJson(text)).toBe(value);
    expect(parseJson(`{"a":[${text},{"b":1}]}`)).toStrictEqual({ a: [value, { b: 1 }] });
  });

  it('throws the errors of JSON.parse', () => {
    expect(() => parseJson('{"a":9007199254740993')).toThrow(SyntaxError);
  });
});

it('parseNumber reads fractions and exponents as numbers', () => {
  expect([parseNumber('1.5'), parseNumber('1e300'), parseNumber('-9007199254740995')]).toStrictEqual([1.5, 1e300, -9007199254740995n]);
});

describe('writeJson', () => {
  it('writes BigInts as integers, also indented', () => {
    const value = { a: [9223372036854775807n], b: 'x', c: { d: -9007199254740993n } };
    expect(writeJson(value)).toBe('{"a":[9223372036854775807],"b":"x","c":{"d":-9007199254740993}}');
    expect(writeJson([1n], 1)).toBe('[\n 1\n]');
    expect(parseJson(writeJson(value))).toStrictEqual(value);
  });

  it('throws for a value that contains itself', () => {
    const value: unknown[] = [1n];
    value.push(value);
    expect(() => writeJson(value)).toThrow(TypeError);
  });
});
