import { describe, expect, test } from 'vitest';
import { createPatternCache, createRegexFunctions } from '../../src/functions/regex.ts';
import { createEvaluator, findDifferences } from '../replay.ts';

describe('find and findAll', () => {
  test('agree with Kubernetes', () => {
    expect(Object.keys(findDifferences('regex'))).toEqual([]);
  });

  test('stop after too many steps', () => {
    const evaluate = createEvaluator([]);
    // Each match reads the text to its end.
    expect(evaluate(`'${'a'.repeat(20_000)}'.findAll('a*b|a').size()`).problem).toBe('evaluate: finding the pattern takes too many steps');
    expect(evaluate(`'${'a'.repeat(20_000)}'.find('(a*)*b')`)).toEqual({ value: '' });
    expect(evaluate(`'a'.find('${'a'.repeat(501)}')`).problem).toMatch(/^compile: .*is invalid: longer than 500 characters$/);
  });

  test('report their steps', () => {
    let steps = 0;
    const regexFunctions = createRegexFunctions(createPatternCache(), (added) => {
      steps += added;
    });
    const find = regexFunctions.functions.find(({ signature }) => signature === 'string.find(string): string');
    expect(find?.run('aab' as never, 'b' as never)).toBe('b');
    expect(steps).toBeGreaterThan(3);
  });
});

const compile = (pattern: string, patterns = createPatternCache()) => {
  let steps = 0;
  const compiled = patterns.get(pattern, (added) => {
    steps += added;
  });
  return { compiled, steps };
};

describe('patterns in CEL', () => {
  test.each<[string, string, boolean]>([
    ['web', 'a-web-1', true],
    ['^web$', 'web-1', false],
    ['^(blue|green)-[0-9]+$', 'green-17', true],
    ['^(blue|green)-[0-9]+$', 'green-', false],
    ['^a{2,3}$', 'aaaa', false],
    ['^a{2,}$', 'aaaa', true],
    ['^(?:ab?)*c$', 'aabac', true],
    ['^[^a-c.]+$', 'xyz', true],
    ['^\\d\\w\\s\\.$', '1_ .', true],
    ['^.$', '😀', true],
    ['^$', '', true],
    ['a|', 'b', true],
    ['^(a+)+$', `${'a'.repeat(5000)}b`, false],
    ['^(a|a)*$', `${'a'.repeat(5000)}b`, false],
    ['^a??b$', 'ab', true],
    ['^[]a]$', ']', true],
    ['^[a-]$', '-', true],
    ['(?i)^WEB$', 'web', true],
    ['\\bweb\\b', 'a-web-1', true],
    ['^\\p{Greek}$', 'ω', true],
    // A count has no leading zero, so the braces are literal.
    ['^a{01}$', 'a{01}', true],
  ])('the pattern %s, matched against %s, returns %s', (pattern, text, expected) => {
    const { compiled } = compile(pattern);
    expect(typeof compiled === 'object' && compiled.matches(text)).toBe(expected);
  });

  test.each([
    ['(', 'error parsing regexp: missing closing ): `(`'],
    ['a)', 'error parsing regexp: unexpected ): `a)`'],
    ['[a', 'error parsing regexp: missing closing ]: `[a`'],
    ['*a', 'error parsing regexp: missing argument to repetition operator: `*`'],
    ['a**', 'error parsing regexp: invalid nested repetition operator: `**`'],
    ['(?=a)', 'error parsing regexp: invalid or unsupported Perl syntax: `(?=`'],
    ['\\1', 'error parsing regexp: invalid escape sequence: `\\1`'],
    ['a{3,2}', 'error parsing regexp: invalid repeat count: `{3,2}`'],
    ['((a{100}){100}){100}', 'error parsing regexp: invalid repeat count: `{100}`'],
    ['a{600}b{600}', 'error parsing regexp: expression too large: `a{600}b{600}`'],
    ['[b-a]', 'error parsing regexp: invalid character class range: `b-a`'],
    ['\\', 'error parsing regexp: trailing backslash at end of expression: ``'],
    ['x'.repeat(501), 'longer than 500 characters'],
    // Expanded, this repeats the empty pattern trillions of times.
    ['((((((){200}){200}){200}){200}){200}){200}', 'error parsing regexp: invalid repeat count: `{200}`'],
  ])('createPatternCache rejects %s', (pattern, message) => {
    expect(compile(pattern).compiled).toBe(message);
    expect(createPatternCache().add(pattern)).toBe(message);
  });

  test('compiles literal patterns once, in advance', () => {
    const patterns = createPatternCache();
    expect([patterns.add('^a$'), patterns.add('^b$')]).toEqual([undefined, undefined]);
    const first = compile('^a$', patterns);
    expect(first.steps).toBe(0);
    compile('^b$', patterns);
    expect(compile('^a$', patterns).compiled).toBe(first.compiled);
  });

  test('counts the steps of compiling other patterns, and caches the last one', () => {
    const patterns = createPatternCache();
    expect(compile('^abc$', patterns).steps).toBe(250);
    expect(compile('^abc$', patterns).steps).toBe(0);
    expect(compile('x'.repeat(501), patterns).steps).toBe(0);
    expect(compile('^abc$', patterns).steps).toBe(250);
  });

  test("never gives up on a match that a request's budget allows", () => {
    const { compiled } = compile('(?:.{0,15}x){30}y');
    if (typeof compiled === 'string') throw new Error(compiled);
    const length = Math.floor((200_000 * 16) / compiled.size) - 100;
    const text = Array.from({ length }, (_, i) => String.fromCodePoint(0x4e00 + i)).join('');
    expect(compiled.matches(`${text}${'x'.repeat(30)}y`)).toBe(true);
  });
});
