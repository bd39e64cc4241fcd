import { describe, expect, test } from 'vitest';
import { countLines, createLocator, maxYAMLLength, parseYAML } from '../../src/input/yaml.ts';

describe('parsed YAML', () => {
  test.each([
    ['numbers', 'a: 1\nb: -1.5\nc: 1e3\nd: 0x10', { a: 1, b: -1.5, c: 1000, d: 16 }],
    [
      'octal and binary numbers, and numbers with underscores',
      'a: [010, -010, 00, 0b101, -0B1, 1_000, +1_0, 08]',
      { a: [8, -8, 0, 5, -1, 1000, 10, 8] },
    ],
    ['text that only resembles numbers', 'a: [0b2, 0b_, _1, 1_a, 0x, 1.0.0_1]', { a: ['0b2', '0b_', '_1', '1_a', '0x', '1.0.0_1'] }],
    ['null values', 'a:\nb: ~\nc: null\nd: Null', { a: null, b: null, c: null, d: null }],
    ['words for true', 'a: [true, True, yes, Yes, YES, on, On, ON, y, Y]', { a: Array(10).fill(true) }],
    ['words for false', 'a: [false, False, no, No, NO, off, Off, OFF, n, N]', { a: Array(10).fill(false) }],
    ['text that only resembles these words', 'a: [yEs, oN, nope, offline, yy, nn]', { a: ['yEs', 'oN', 'nope', 'offline', 'yy', 'nn'] }],
    ['quoted words and numbers', 'a: ["yes", \'no\', "1", "null"]', { a: ['yes', 'no', '1', 'null'] }],
    ['dates and times', 'a: 2026-01-31\nb: 2026-01-31T12:00:00Z', { a: '2026-01-31', b: '2026-01-31T12:00:00Z' }],
    ['keys that resemble numbers and booleans', '1: a\ntrue: b\nyes: c\n"d": e', { '1': 'a', true: 'b', yes: 'c', d: 'e' }],
    ['anchors', 'a: &x {b: 1}\nc: *x', { a: { b: 1 }, c: { b: 1 } }],
    [
      'merge keys, several in one map',
      'a: &x {b: 1}\nc: &y {d: 2}\ne:\n  <<: *x\n  <<: *y\n  b: 3',
      { a: { b: 1 }, c: { d: 2 }, e: { b: 3, d: 2 } },
    ],
    ['the same key in two maps', 'a: {b: 1}\nc: {b: 1}', { a: { b: 1 }, c: { b: 1 } }],
    ['unknown tags', 'a: !mine x', { a: 'x' }],
  ])('includes %s', (_, text, value) => {
    expect(parseYAML(text)).toEqual({ value });
  });

  test('includes the keys __proto__ and constructor', () => {
    const { value } = parseYAML('a: {__proto__: x, constructor: z}') as { value: { a: object } };
    expect(Object.entries(value.a)).toEqual([
      ['__proto__', 'x'],
      ['constructor', 'z'],
    ]);
    expect(Object.getPrototypeOf(value.a)).toBe(Object.prototype);
  });
});

describe('invalid YAML', () => {
  test.each([
    ['a: "b', 'not YAML: a quote, bracket or comma is missing; close what was opened', 5],
    ['a:\n\tb: c', 'not YAML: the indentation contains a tab; use spaces', 3],
    ['? [a]\n: b', 'not YAML: a list or map is used as a key; give text', 2],
    ['a: b: c', 'not YAML: two keys are on one line, or text that contains ": " is not quoted; quote it or use separate lines', 4],
    ['a: @b', 'not YAML: text begins with a special character; quote it', 3],
    ['a: `b`', 'not YAML: text begins with a special character; quote it', 3],
    ['a: 1\nb:\n  c: 1\n  c: 2', 'not usable YAML: the key "c" occurs twice in one map; remove one of the two', 17],
    ['- a: 1\n- {b: 1, "b": 2}', 'not usable YAML: the key "b" occurs twice in one map; remove one of the two', 16],
    ['__proto__: 1\n__proto__: 2', 'not usable YAML: the key "__proto__" occurs twice in one map; remove one of the two', 13],
    ['', 'empty: give Kubernetes objects', undefined],
  ])('is reported with the position of the error: %j', (text, error, offset) => {
    const parsed = parseYAML(text);
    expect(parsed).toMatchObject({ error });
    expect(parsed.error === undefined ? 'none' : parsed.offset).toBe(offset);
    expect(parsed.value).toBe(undefined);
  });

  test('is reported for an alias without an anchor', () => {
    expect(parseYAML('a: *b').error).toMatch(/^not usable YAML: .*; give the values themselves in place of aliases$/);
  });

  test('is reported in one line', () => {
    const { error } = parseYAML(`a: *${'b'.repeat(500)}`);
    expect(error).not.toContain('\n');
    expect(error?.length).toBeLessThan(200);
  });
});

describe('YAML limits', () => {
  test.each([
    ['brackets', (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`],
    ['dashes', (depth: number) => `${'- '.repeat(depth)}x`],
  ])('accept moderate and refuse excessive nesting of %s', (_, nest) => {
    expect(parseYAML(nest(300)).error).toBe(undefined);
    expect(parseYAML(nest(401)).error).toBe('nested more than 400 levels deep: give Kubernetes objects');
    expect(parseYAML(nest(100_000)).error).toBe('nested more than 400 levels deep: give Kubernetes objects');
  });

  test('accept text of the maximum length and refuse a longer one', () => {
    const text = `a: ${'x'.repeat(maxYAMLLength - 3)}`;
    expect(text).toHaveLength(4 * 1024 * 1024);
    expect(parseYAML(text).error).toBe(undefined);
    expect(parseYAML(`${text}x`).error).toBe('more than 4 MiB of YAML in one piece: give large lists as JSON (kubectl get -o json)');
  });
});

describe('the line of a field', () => {
  const text = 'a: 1\nb:\n  c:\n  - d: x\n    e: y\n  f: "g\n\n    h"\ni: {j: [1,\n  2]}\n';
  test.each<[readonly (string | number)[], number | undefined]>([
    [['a'], 0],
    [['b', 'c'], 3],
    [['b', 'c', 0], 3],
    [['b', 'c', 0, 'e'], 4],
    [['b', 'f'], 5],
    [['i', 'j', 1], 9],
    [['b', 'c', 0, 'missing', 'field'], 3],
    [['b', 'c', 7], 3],
    [['missing'], undefined],
    [[], undefined],
  ])('is found for %j', (path, line) => {
    expect(createLocator(text)(path)).toBe(line);
  });

  test('is undefined if the text cannot be parsed', () => {
    expect(createLocator('a: "')(['a'])).toBe(undefined);
  });

  test('is found in JSON', () => {
    expect(createLocator('{"a":\n {"b":\n  1}}')(['a', 'b'])).toBe(2);
  });
});

test.each([
  [0, 0, 0],
  [0, 1, 0],
  [0, 2, 1],
  [0, 4, 2],
  [2, 4, 1],
  [3, 4, 1],
  [4, 4, 0],
])('countLines counts newlines from offset %i to %i', (from, end, lines) => {
  expect(countLines('a\nb\n', from, end)).toBe(lines);
});
