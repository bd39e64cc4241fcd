import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { fc } from '../../../../test/support/property.ts';
import { formatStructured } from '../../src/print/structured.ts';

test('formatStructured indents JSON by four spaces and ends with a newline', () => {
  expect(formatStructured({ a: [1], b: undefined, c: {} }, 'json')).toBe('{\n    "a": [\n        1\n    ],\n    "c": {}\n}\n');
});

describe('YAML output', () => {
  test('matches kubectl: lists not indented, long text not folded, no aliases', () => {
    const shared = { ip: '10.0.0.1' };
    const words = 'word '.repeat(40).trim();
    expect(formatStructured({ a: [shared, shared], b: words, c: [], d: undefined, e: null }, 'yaml')).toBe(
      `a:\n- ip: 10.0.0.1\n- ip: 10.0.0.1\nb: ${words}\nc: []\ne: null\n`,
    );
  });

  test.each([
    'yes',
    'Off',
    'y',
    'n',
    'true',
    'null',
    '~',
    '010',
    '0x1F',
    '1_000',
    '0b1',
    '1e3',
    '1:30',
    '2026-01-31',
    '.inf',
    '<<',
    '',
    ' a',
    '#a',
    '- a',
    'a: b',
  ])('keeps the text %j a string for readers of YAML 1.1 and 1.2', (text) => {
    const printed = formatStructured({ [text]: text }, 'yaml');
    for (const version of ['1.1', '1.2'] as const) expect(parse(printed, { version, merge: false })).toEqual({ [text]: text });
  });

  test('keeps labels named __proto__ and constructor', () => {
    expect(formatStructured(JSON.parse('{"__proto__": "a", "constructor": "b"}'), 'yaml')).toBe('__proto__: a\nconstructor: b\n');
  });
});

test.each(['json', 'yaml'] as const)('formatStructured escapes characters in %s that move the cursor or reorder a line', (format) => {
  const text = 'a\u0000\u001b\u007f\u0085\u009b\u009f\u061c\u200e\u200f\u2028\u2029\u202a\u202e\u2066\u2069b';
  const printed = formatStructured({ [text]: text }, format);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to look for
  expect(printed).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/);
  expect(parse(printed)).toEqual({ [text]: text });
});

test.each(['a\u2028b', 'a\u2029b', 'a\u0085b', 'a\u202eb', 'a\nb\u2028\n'])('YAML quotes %j, as value and as key', (text) => {
  const quoted = `"${text.replace(/[^ab]/g, (unit) => (unit === '\n' ? '\\n' : `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`))}"`;
  expect(formatStructured({ x: text }, 'yaml')).toBe(`x: ${quoted}\n`);
  expect(formatStructured({ [text]: 1 }, 'yaml')).toContain(quoted);
});

test('formatted JSON and YAML parse back to the same value', () => {
  const text = fc.string({ unit: 'binary' });
  const value = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      text,
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('value')),
      fc.dictionary(text, tie('value')),
    ),
  })).value;
  fc.assert(
    fc.property(value, (generated) => {
      const expected = JSON.parse(JSON.stringify(generated));
      expect(JSON.parse(formatStructured(generated, 'json'))).toEqual(expected);
      expect(parse(formatStructured(generated, 'yaml'), { version: '1.1', merge: false })).toEqual(expected);
      expect(parse(formatStructured(generated, 'yaml'))).toEqual(expected);
    }),
  );
});
