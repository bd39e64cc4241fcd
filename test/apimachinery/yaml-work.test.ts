import { expect, test } from 'vitest';
import { readYaml } from '../../src/apimachinery/index.ts';
import { fc } from '../support/property.ts';

/** Texts of about a given length that consist of one repeated unit, each of which has made a YAML parser take quadratic time. */
const units: readonly string[] = [
  ...[
    '"',
    "'",
    '"a" ',
    "'a' ",
    '"\n',
    '"a"\n',
    '"a": 1\n',
    '[',
    ']',
    '{',
    '}',
    '[]',
    '{}',
    ',',
    '[a],',
    '[a]\n',
    '[a]: 1\n',
    '{a: 1}: 1\n',
  ],
  ...[
    '&a ',
    '&a\n',
    '- &a 1\n',
    '*a ',
    '*a\n',
    '- *b\n',
    '&',
    '*',
    '&a a: &b b\n',
    '!',
    '!a ',
    '!!str ',
    '- !!str b\n',
    '- !!int x\n',
    '!<a> ',
  ],
  ...[
    '\t',
    '\t\n',
    'a:\t1\n',
    '\ta: 1\n',
    'a\t',
    '#',
    '#\n',
    '# a\n',
    ' #a\n',
    'a: 1 # b\n',
    'a:\n# b\n',
    'a: |\n',
    '|\n',
    '- |\n  a\n',
    '|1-+ ',
    '>',
    '|',
  ],
  ...[
    '? ',
    '?\n',
    '? a\n: b\n',
    '? a\n',
    '? : ',
    '- ',
    '-\n',
    '- a\n',
    '- - a\n',
    '- a: 1\n',
    '- a: 1\n  b: 2\n',
    'a:\n- b\n',
    ': ',
    ':\n',
    ':',
    'a: ',
    'a:\n',
  ],
  ...[
    'a: b\n',
    ':a ',
    ': a\n',
    '~: a\n',
    'a',
    'a ',
    'a\n',
    'a\n\n',
    ' ',
    ' \n',
    '\n',
    '\r',
    '\r\n',
    '\uFEFF',
    '\u2028',
    '\u{1F600}',
    '@',
    '%',
    '\\',
    'a #',
    'a:b',
  ],
  ...[
    '---\n',
    '--- ',
    '...\n',
    'a: 1\n---\n',
    'a\n...\n---\n',
    '"\n---\n',
    '[\n---\n',
    '--- |\n a\n',
    '%YAML 1.1\n',
    '%YAML 1.1\n---\n',
    '%TAG ! a\n',
    '%FOO\n',
  ],
  ...[
    '- 1234567890\n',
    '- 1:30\n',
    '- 2001-01-01\n',
    '- yes\n',
    '- 0x\n',
    '- 1e5\n',
    '- !!binary aGk=\n',
    '<<: {a: 1}\n',
    '- {<<: {a: 1}}\n',
  ],
];

/** Texts that consist of a repeated unit between a beginning and an end. */
const enclosed: readonly (readonly [begin: string, unit: string, end: string])[] = [
  ...([
    ['"', 'a', ''],
    ['"', 'a\n', '"'],
    ['"', ' ', '"'],
    ['"', '\\n', '"'],
    ['"', '\\\n', '"'],
    ["'", "''", "'"],
    ["'", '\n', "'"],
  ] as const),
  ...([
    ['[', 'a,', ']'],
    ['[', '? a,', ']'],
    ['[', 'a: 1,', ']'],
    ['[', '\n', ']'],
    ['{', 'a: 1,', '}'],
    ['[', 'a ', ']'],
    ['[', 'a, #x\n', ']'],
    ['[', 'a,', ']: 1'],
  ] as const),
  ...([
    ['a: |\n', '  b\n', ''],
    ['a: |\n', '\n', 'b'],
    ['a: |+\n', ' \n', ''],
    ['a: >\n', '  b\n\n', ''],
    ['a: >\n', '  b\n   c\n', ''],
    ['a: |9\n', '  b\n', ''],
    ['a: |\n  ', 'b', ''],
  ] as const),
  ...([
    ['&', 'a', ' x'],
    ['!', 'a', ' x'],
    ['!<', 'a', '> x'],
    ['!', '%41', ' x'],
    ['*', 'a', ''],
    ['%', 'a', ''],
    ['%YAML', ' ', '1.1'],
  ] as const),
  ...([
    ['', 'a', ': 1'],
    ['', 'a ', ': 1'],
    ['"', 'a', '": 1'],
    ['a: ', 'b ', ''],
    ['a: b\n', '  c\n', ''],
    ['a: b\n', '  c\n\n', ''],
    ['a: 1\n', '# c\n', ''],
  ] as const),
  ...([
    ['- ', '1', ''],
    ['- ', '1', 'x'],
    ['- 0', '7', ''],
    ['- 0x', 'f', ''],
    ['- 0b', '1', ''],
    ['- 1', '_', ''],
    ['- 1', ':1', 'x'],
    ['- !!int ', '0', ''],
    ['- !!binary ', 'A', ''],
  ] as const),
  ...([
    ['- &a 1\n', '- *a\n', ''],
    ['- &a {b: c}\n', '- *a\n', ''],
    ['a: &x b\n', '*x : 1\n', ''],
    ['a: &a {b: 1}\nc:\n', '  <<: *a\n', ''],
  ] as const),
  ...([
    ['', `${'- '.repeat(90)}a\n`, ''],
    ['', `${'? '.repeat(90)}a\n`, ''],
    ['', `${'['.repeat(90)}${']: 1'.repeat(89)}],`, ''],
  ] as const),
];

const growing: readonly ((length: number) => string)[] = [
  (length) => repeatIndexed(length, (i) => `k${i}: 1\n`),
  (length) => repeatIndexed(length, (i) => `- &a${i} 1\n`),
  (length) => repeatIndexed(length, (i) => `a${i + 1}: &a${i + 1} [*a${i}]\n`, 'a0: &a0 x\n'),
  (length) => repeatIndexed(length, (i) => `a${i + 1}: &a${i + 1} [*a${i},*a${i}]\n`, 'a0: &a0 x\n'),
  (length) => repeatIndexed(length, (i) => `a${i + 1}: &a${i + 1} {<<: *a${i}, k${i}: 1}\n`, 'a0: &a0 {k: 1}\n'),
  (length) => repeatIndexed(length, (i) => `%TAG !e${i}! t${i}\n`),
  (length) => repeatIndexed(Math.sqrt(length), (i) => `${' '.repeat(i)}a:\n`),
  (length) => repeatIndexed(Math.sqrt(length), (i) => `${' '.repeat(i)}-\n`),
  (length) => repeatIndexed(Math.sqrt(length), (i) => `${' '.repeat(i)}\n`, 'a: |\n'),
  (length) => repeatIndexed(Math.sqrt(length), (i) => `${' '.repeat(i)}# c\n`, 'a: 1\n'),
];

function repeatIndexed(length: number, format: (index: number) => string, begin = ''): string {
  let text = begin;
  for (let i = 0; text.length < length; i++) text += format(i);
  return text;
}

const repeat = (unit: string, length: number): string => unit.repeat(Math.ceil(length / unit.length));

const shapes: readonly (readonly [string, (length: number) => string])[] = [
  ...units.map((unit) => [JSON.stringify(unit), (length: number) => repeat(unit, length)] as const),
  ...enclosed.map(
    ([begin, unit, end]) => [JSON.stringify([begin, unit, end]), (length: number) => begin + repeat(unit, length) + end] as const,
  ),
  ...growing.map((create, i) => [`growing ${i}`, create] as const),
];

/** CPU time of this thread, in milliseconds. */
function measure(text: string): number {
  const start = process.threadCpuUsage();
  try {
    readYaml(text, { maxDepth: 400, yaml11: true, positions: true });
  } catch {
    // The time until the first error counts, too.
  }
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1000;
}

/** Whether four times the text takes at least ten times as long: linear time would be four times, quadratic time sixteen times. */
function isSuperlinear(create: (length: number) => string): boolean {
  const [short, long] = [create(12_500), create(50_000)];
  const isSlow = (): boolean => measure(long) > Math.max(15, 10 * measure(short));
  return isSlow() && isSlow() && isSlow() && isSlow();
}

test(`readYaml takes linear time for ${shapes.length} repetitive texts`, () => {
  expect(shapes.filter(([, create]) => isSuperlinear(create)).map(([name]) => name)).toStrictEqual([]);
});

test('readYaml takes linear time for random repetitive texts', () => {
  const piece = fc.array(fc.constantFrom(...units), { minLength: 1, maxLength: 4 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(piece, piece, piece, (begin, unit, end) => {
      expect(isSuperlinear((length) => begin + repeat(unit, length) + end)).toBe(false);
    }),
    { numRuns: 50 },
  );
});
