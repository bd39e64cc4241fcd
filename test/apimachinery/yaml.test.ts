import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createLineCounter, findYamlPosition, readYaml, readYamlInSteps, YamlError } from '../../src/apimachinery/index.ts';

const upstreamOptions = { maxDepth: 100, yaml11: true, bigIntegers: true } as const;

/** Results of YAMLToJSON of sigs.k8s.io/yaml v1.6.0: the JSON of a text, or null and the error. */
const rows = readFileSync(new URL('yaml.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as [text: string, json: string | null, error?: string]);

/** Reads the first document as JSON with sorted keys, or returns the error as the Go package words it. */
function convert(text: string): string {
  try {
    for (const document of readYamlInSteps(text, upstreamOptions)) if (document) return encode(document.value);
    return 'null';
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    const { code, message, upstreamLine } = error;
    return code === 'json' ? message : `yaml: ${upstreamLine === undefined ? '' : `line ${upstreamLine}: `}${message}`;
  }
}

function encode(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(encode).join(',')}]`;
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${encode(field)}`).join(',')}}`;
}

/** JSON of Go's encoder in the form of `encode`: other escapes, the same digits. */
const normalize = (json: string): string =>
  encode(
    JSON.parse(json, (_, value, context?: { source?: string }) =>
      /^-?\d{16,}$/.test(context?.source ?? '') ? BigInt(context?.source as string) : value,
    ),
  );

describe('readYaml', () => {
  test(`gives the value or the error of sigs.k8s.io/yaml for ${rows.length} texts`, () => {
    const differences = rows.flatMap(([text, json, error = '']) => {
      const expected = json === null ? error : normalize(json);
      const actual = convert(text);
      return actual === expected ? [] : [{ text, expected, actual }];
    });
    expect(differences).toStrictEqual([]);
  });
});

test.each([
  [
    'words of YAML 1.2 are text, except for booleans and null',
    '[yes, no, on, y, true, False, ~, Null]',
    ['yes', 'no', 'on', 'y', true, false, null, null],
  ],
  ['numbers of YAML 1.2', '[010, 0o10, 0x1f, -0x1f, 1_000, 0b1, 1e3, .5]', [10, 8, 31, '-0x1f', '1_000', '0b1', 1000, 0.5]],
  ['"<<" is an ordinary key', 'a: &x {b: 1}\nc: {<<: *x}', { a: { b: 1 }, c: { '<<': { b: 1 } } }],
  ['keys are text', '{1: a, true: b, ~: c, 0x1: d}', { 1: 'a', true: 'b', '~': 'c', '0x1': 'd' }],
  ['large integers are rounded', '9007199254740993', 9007199254740992],
])('without the options of YAML 1.1: %s', (_, text, value) => {
  expect(readYaml(text, { maxDepth: 10, textKeys: true })).toStrictEqual([{ value, duplicateKeys: [] }]);
});

test('readYaml reads several documents, also empty ones', () => {
  const documents = readYaml('a\n---\n---\n{b: 1}\n...\n--- c', { maxDepth: 10 });
  expect(documents.map(({ value }) => value)).toStrictEqual(['a', null, { b: 1 }, 'c']);
  expect(readYaml('# nothing\n', { maxDepth: 10 })).toStrictEqual([]);
});

test('duplicate keys have their offsets, and show whether a merge key is involved', () => {
  const [document] = readYaml('a: &x {b: 1}\nc:\n  b: 2\n  <<: *x\n  b: 3\na: 1\n', upstreamOptions);
  expect(document).toStrictEqual({
    value: { a: 1, c: { b: 3 } },
    duplicateKeys: [
      { key: 'b', keyOffset: 25, valueOffset: 29, isMerged: true },
      { key: 'b', keyOffset: 34, valueOffset: 37, isMerged: true },
      { key: 'a', keyOffset: 39, valueOffset: 42, isMerged: false },
    ],
  });
});

test('positions are those of keys and values, without tags and anchors', () => {
  const text = 'a: &x !t\n  b: "1"\nc:\n- |\n  d\n- {e: , f: *x}\n';
  const [document] = readYaml(text, { maxDepth: 10, positions: true });
  const find = (...path: (string | number)[]): unknown => {
    const position = findYamlPosition(document?.positions, path);
    return (
      position && [position.keyStart, position.start].map((offset) => (offset === undefined ? undefined : text.slice(offset, offset + 3)))
    );
  };
  expect(find()).toStrictEqual([undefined, 'a: ']);
  expect(find('a', 'b')).toStrictEqual(['b: ', '"1"']);
  expect(find('c')).toStrictEqual(['c:\n', '- |']);
  expect(find('c', 0)).toStrictEqual([undefined, '|\n ']);
  expect(find('c', 1, 'e')).toStrictEqual(['e: ', undefined]);
  expect(find('c', 1, 'f')).toStrictEqual(['f: ', '*x}']);
  for (const path of [['c', 2], ['c', 'e'], ['a', 'b', 0], ['x']]) expect(find(...path)).toBeUndefined();
});

test('a line counter gives 1-based lines and columns', () => {
  const positionOf = createLineCounter('a\n\nbc');
  expect([0, 1, 2, 3, 4, 5].map(positionOf).map(({ line, column }) => `${line}:${column}`)).toStrictEqual([
    '1:1',
    '1:2',
    '2:1',
    '3:1',
    '3:2',
    '3:3',
  ]);
});

describe('readYaml refuses', () => {
  const codeOf = (text: string): string => {
    try {
      return `accepted ${readYaml(text, upstreamOptions).length}`;
    } catch (error) {
      return (error as YamlError).code;
    }
  };

  test.each([
    ['flow collections', (depth: number) => '['.repeat(depth) + ']'.repeat(depth)],
    ['block sequences', (depth: number) => `${'- '.repeat(depth)}a`],
    ['block mappings', (depth: number) => Array.from({ length: depth }, (_, level) => `${' '.repeat(level)}a:\n`).join('')],
  ])('%s that are nested more deeply than allowed', (_, nest) => {
    expect([nest(100), nest(101), nest(3000)].map(codeOf)).toStrictEqual(['accepted 1', 'depth', 'depth']);
  });

  test('aliases that expand to too many nodes, too much text or too many merged fields', () => {
    const fields = Array.from({ length: 101 }, (_, i) => `k${i}: 1`).join(', ');
    const merges = (count: number): string => `- &a {${fields}}\n${'- {<<: *a}\n'.repeat(count)}${'- 1\n'.repeat(1000)}`;
    const texts = (count: number): string => `- &a ${'x'.repeat(100_000)}\n${'- *a\n'.repeat(count)}`;
    const nodes = (count: number): string => `- &a [${'1,'.repeat(1000)}]\n${'- *a\n'.repeat(count)}`;
    expect([merges(99), merges(100), texts(31), texts(32), nodes(90), nodes(130)].map(codeOf)).toStrictEqual([
      'accepted 1',
      'alias',
      'accepted 1',
      'alias',
      'accepted 1',
      'alias',
    ]);
  });

  test('values and gaps of too many lines or escapes', () => {
    const lines = (count: number): string => `a: |\n${' b\n'.repeat(count)}`;
    const blanks = (count: number): string => `a: 1\n${'#\n'.repeat(count)}`;
    const escapes = (count: number): string => `"${'\\n'.repeat(count)}"`;
    const many = [lines(200_000), blanks(200_000), escapes(400_000)];
    const tooMany = [lines(260_000), blanks(260_000), escapes(510_000)];
    expect([...many, ...tooMany].map(codeOf)).toStrictEqual(['accepted 1', 'accepted 1', 'accepted 1', 'syntax', 'syntax', 'syntax']);
    expect(() => readYaml(lines(260_000), upstreamOptions)).toThrow('found more than 250000 lines, or 500000 escapes, in one value');
  });
});
