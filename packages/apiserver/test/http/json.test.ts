import { expect, test } from 'vitest';
import { maxBodyDepth } from '../../src/formats/yaml.ts';
import { readJson } from '../../src/http/json.ts';

const duplicatePaths = (text: string): string[] => (readJson(text, true).duplicateKeys?.keys ?? []).map(({ path }) => path);

test('JSON without duplicate keys is read in any layout', () => {
  const value = { a: [1, 'x', null, { b: true }], c: 1.5 };
  for (const text of [JSON.stringify(value), `${JSON.stringify(value)}\n`, JSON.stringify(value, undefined, 2)]) {
    expect(readJson(text, true)).toEqual({ value });
  }
});

test('numbers that JavaScript writes differently are reported with their paths', () => {
  const text = '{"a":[1,"1.0",8e1,{"b":80.0}],"c":9007199254740993, "d":0.1}';
  const numbers = new Map([
    ['a[2]', '8e1'],
    ['a[3].b', '80.0'],
  ]);
  expect(readJson(text, true)).toEqual({ value: { a: [1, '1.0', 80, { b: 80 }], c: 9007199254740993n, d: 0.1 }, numbers });
});

test('duplicate keys are reported with their paths, each once', () => {
  expect(duplicatePaths('{"a":1,"a":2,"a":3}')).toEqual(['a']);
  expect(duplicatePaths('{"spec":{"ports":[{"port":1},{"port":2,"port":3}]}}')).toEqual(['spec.ports[1].port']);
  expect(duplicatePaths('{"a\\"b":{"c":",{}[]:","c":"\\\\"}}')).toEqual(['a"b.c']);
});

test('objects under duplicate keys are merged on request; otherwise the last value replaces the others', () => {
  const text = '{"data":{"a":"1","c":{"d":1}},"data":{"b":"2","c":{"e":2}},"list":[1],"list":[2]}';
  expect(readJson(text, true).value).toEqual({ data: { a: '1', b: '2', c: { d: 1, e: 2 } }, list: [2] });
  expect(readJson(text, false).value).toEqual({ data: { b: '2', c: { e: 2 } }, list: [2] });
});

test('positions of keys follow the order of the text', () => {
  const { duplicateKeys } = readJson('{"a":1,"b":{"c":1},"a":2,"d":1}', true);
  expect(duplicateKeys?.keys).toEqual([{ path: 'a', position: 3 }]);
  expect([...(duplicateKeys?.positions ?? [])]).toEqual([
    ['a', 0],
    ['b', 1],
    ['b.c', 2],
    ['d', 4],
  ]);
});

test('__proto__ is an ordinary key', () => {
  for (const text of ['{"__proto__":{"a":1}}', '{"__proto__":{"a":1},"b":1,"b":2}']) {
    const { value } = readJson(text, true);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(Object.hasOwn(value as object, '__proto__')).toBe(true);
    expect(({} as { a?: number }).a).toBeUndefined();
  }
});

test('invalid JSON is refused with the message of the Go parser', () => {
  expect(readJson('{', true).problem).toBe('unexpected end of JSON input');
  expect(readJson('', true).problem).toBe('unexpected end of JSON input');
  expect(readJson('{"a":1} b', true).problem).toBe("invalid character 'b' after top-level value");
});

test('arrays and objects that are nested too deeply are refused', () => {
  const nestText = (open: string, close: string, levels: number): string => open.repeat(levels) + close.repeat(levels);
  expect(readJson(nestText('[', ']', maxBodyDepth), true).problem).toBeUndefined();
  expect(readJson(nestText('[', ']', maxBodyDepth + 1), true).problem).toBe("invalid character '[' exceeded max depth");
  expect(readJson(`{"x":${nestText('[', ']', 100_000)}}`, true).problem).toBe("invalid character '[' exceeded max depth");
  expect(readJson(`${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`, true).problem).toBe("invalid character '{' exceeded max depth");
});

test('deep nesting is refused even under a key that a duplicate overrides', () => {
  const text = `{"a":${'['.repeat(2000)}${']'.repeat(2000)},"a":1}`;
  expect(readJson(text, true).problem).toBe("invalid character '[' exceeded max depth");
});

test('lone surrogates are read as the replacement character', () => {
  expect(readJson('{"a": "\\ud800", "b": "\\ud83d\\ude00", "c": ["x\\udfffy"]}', true).value).toEqual({
    a: '\ufffd',
    b: '\ud83d\ude00',
    c: ['x\ufffdy'],
  });
});
