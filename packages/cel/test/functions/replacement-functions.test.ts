import { describe, expect, test } from 'vitest';
import { createEvaluator, findDifferences } from '../replay.ts';

describe("CEL's standard functions", () => {
  test('agree with Kubernetes, except for differences of the library', () => {
    expect(Object.keys(findDifferences('standard'))).toEqual([
      // Integers out of range.
      '-(-9223372036854775808)',
      '-9223372036854775808 / -1',
      '-9223372036854775808 % -1',
      '9223372036854775808',
      '.5',
      // Comparisons of uints in lists, of bytes, and beyond 53 bits.
      '[dyn(1)] == [dyn(1u)]',
      '{1: 2}[1.0]',
      "b'a' < b'b'",
      '9007199254740993 > 9007199254740992.0',
      '0.0/0.0 < 1.0',
      'dyn(1u) in [1]',
      // `has` works on names only.
      "has({'a': 1}.a)",
      "has({'a': 1}.b)",
      "has({'a': {}}.a.b)",
      "has({'a': null}.a)",
      // Keys of map literals are strings.
      '{1: 2}.map(k, k + 1)',
      '{1: 2}.all(k, k == 1)',
      '{true: 1}.map(k, !k)',
      // Times have millisecond precision, and other bounds and time zones.
      "timestamp('2024-01-01T00:00:00.123456789Z') == timestamp('2024-01-01T00:00:00.123456788Z')",
      "timestamp('2024-01-01T00:00:00Z').getHours('02:00')",
      "timestamp('2024-01-01T00:00:00Z').getHours('')",
      "timestamp('9999-12-31T23:59:59Z') + duration('1s')",
      "timestamp('2024-01-01T00:00:00Z') - duration('1ns')",
      // Negative durations with fractions are added incorrectly.
      "duration('-0.5s') + duration('0.2s')",
      "duration('-0.7s') + duration('-0.7s')",
      "duration('2562047h') + duration('2562047h')",
      // Byte literals are read as characters.
      "b'é'",
      '{1.5: 2}',
      // Functions of the library that Kubernetes lacks.
      'b"abc".json()',
      "b'abc'.hex()",
      "b'abc'.at(0)",
      "b'abc'.string()",
      "b'abc'.base64()",
    ]);
  });

  test('are recognized despite white space, comments and parentheses', () => {
    const evaluate = createEvaluator([]);
    expect(evaluate("(('É'\n // .lowerAscii()\n) . \n lowerAscii ( )) + [' É '].join() . trim()")).toEqual({ value: 'ÉÉ' });
    expect(evaluate('string ( int ( "12" ) + int("1"))')).toEqual({ value: '13' });
  });

  test('handle long strings quickly', () => {
    const evaluate = createEvaluator([]);
    const digits = '1'.repeat(200_000);
    for (const type of ['duration', 'timestamp', 'int', 'uint']) {
      expect(evaluate(`${type}(dyn('${digits}') + 'x')`).problem).toMatch(/^evaluate: type conversion error from 'string' to /);
    }
    expect(evaluate(`double('${digits}')`).problem).toBe("evaluate: type conversion error from 'string' to 'double'");
    expect(evaluate(`'${' '.repeat(200_000)}x${' '.repeat(200_000)}'.trim()`)).toEqual({ value: 'x' });
  });
});
