import { describe, expect, it } from 'vitest';
import { compilePattern, type PatternMatch } from '../../src/regexp/pattern.ts';
import { patterns, texts } from './golden/vectors.ts';

function formatAnswer(pattern: string): string {
  const compiled = compilePattern(pattern);
  return 'problem' in compiled ? compiled.problem : texts.map((text) => (compiled.matches(text) ? '1' : '0')).join('');
}

function matches(pattern: string, text: string): boolean {
  const compiled = compilePattern(pattern);
  if ('problem' in compiled) throw new Error(compiled.problem);
  return compiled.matches(text);
}

/** Creates a pseudorandom text of the letters a and b. */
function createLetters(length: number): string {
  let bits = 1;
  return Array.from({ length }, () => {
    bits = (bits >> 1) ^ (bits & 1 ? 0xb400 : 0);
    return bits & 1 ? 'a' : 'b';
  }).join('');
}

describe('compilePattern', () => {
  it('gives the same results as Go', () => {
    expect(patterns.length).toBeGreaterThan(400);
    expect(patterns.map(([pattern]) => [pattern, formatAnswer(pattern)])).toEqual(patterns);
  });

  it.each(['(a+)+$', '^(a|a)*$', '(a*)*b', '(?:a?){40}a{40}$', '([a-z]+)*\\d$'])('matches %s against a long text quickly', (pattern) => {
    // A backtracking matcher would take exponential time.
    expect(matches(pattern, `${'a'.repeat(50_000)}!`)).toBe(false);
  });

  it('returns false for a text that takes too many steps', () => {
    const large = compilePattern('(?:[ab]{0,30}a){30}c');
    if ('problem' in large) throw new Error(large.problem);
    const start = process.cpuUsage();
    expect(large.matches(`${createLetters(30_000)}${'a'.repeat(30)}c`)).toBe(false);
    expect(process.cpuUsage(start).user / 1000).toBeLessThan(5000);
    expect(large.matches(`${'a'.repeat(30)}c`)).toBe(true);
  });

  it('matches a large pattern with few states against a long text', () => {
    const text = `${'ab'.repeat(500_000)}c`;
    expect(matches('^(?:[ab]|d{1,1000})*c$', text)).toBe(true);
    expect(matches('^(?:[ab]|d{1,1000})*d$', text)).toBe(false);
  });

  it('caches a bounded number of states, and continues without the cache', () => {
    const manyStates = compilePattern('(?:a|b)*a(?:a|b){16}$');
    if ('problem' in manyStates) throw new Error(manyStates.problem);
    const text = createLetters(30_000);
    expect(manyStates.matches(`${text}a${'b'.repeat(16)}`)).toBe(true);
    expect(manyStates.matches(`${text}b${'a'.repeat(16)}`)).toBe(false);
  });

  it('refuses a pattern that is too large or nested too deeply', () => {
    expect(compilePattern(`${'a{1000}'.repeat(21)}`)).toEqual({
      problem: `error parsing regexp: expression too large: \`${'a{1000}'.repeat(21)}\``,
    });
    expect(matches(`${'('.repeat(999)}a${')'.repeat(999)}`, 'a')).toBe(true);
    const deep = `${'('.repeat(1000)}a${')'.repeat(1000)}`;
    expect(compilePattern(deep)).toEqual({ problem: `error parsing regexp: expression nests too deeply: \`${deep}\`` });
  });

  it('applies the limits of its caller', () => {
    expect(compilePattern('ab{3}', { instructions: 4 })).toEqual({ problem: 'error parsing regexp: expression too large: `ab{3}`' });
    const pattern = compilePattern('ab{3}', { instructions: 5, cacheBytes: 1 });
    if ('problem' in pattern) throw new Error(pattern.problem);
    expect(pattern.size).toBe(5);
    for (const text of ['abbb', 'xabbbx', 'abb', 'ababbb', 'abb'])
      expect([text, pattern.matches(text)]).toEqual([text, /ab{3}/.test(text)]);
  });

  it.each([
    ['repetitions of nothing', '(?:){1000}'.repeat(2000)],
    ['repetitions', 'a{1000}'.repeat(400_000)],
    ['repetitions of a group', `(?:${'ab'.repeat(240)}){1000}`],
    ['classes', '[a-z]'.repeat(500_000)],
    ['wide ranges whose case is ignored', '(?i)[\\x{100}-\\x{10ffff}]'.repeat(100)],
  ])('refuses too many %s without compiling them', (_, pattern) => {
    const start = process.cpuUsage();
    expect(compilePattern(pattern)).toEqual({ problem: `error parsing regexp: expression too large: \`${pattern}\`` });
    expect(process.cpuUsage(start).user / 1000).toBeLessThan(3000);
  });

  it('reports a syntax error even if the pattern is too large', () => {
    expect(compilePattern('a{1000}'.repeat(21).concat('*+'))).toEqual({
      problem: 'error parsing regexp: invalid nested repetition operator: `{1000}*`',
    });
  });
});

function find(pattern: string, text: string, from = 0, spend: (steps: number) => void = () => undefined): PatternMatch | undefined {
  const compiled = compilePattern(pattern);
  if ('problem' in compiled) throw new Error(compiled.problem);
  return compiled.find(text, from, spend);
}

describe('find', () => {
  it.each([
    ['a+', 'baab', 0, { start: 1, end: 3 }],
    ['a+?', 'baab', 0, { start: 1, end: 2 }],
    ['(?U)a+', 'baab', 0, { start: 1, end: 2 }],
    ['ab|abcd', 'abcd', 0, { start: 0, end: 2 }],
    ['(|a)*', 'aa', 0, { start: 0, end: 0 }],
    ['(a|)*', 'aa', 0, { start: 0, end: 2 }],
    ['\\bb', 'abb b', 1, { start: 4, end: 5 }],
    ['^a', 'aa', 1, undefined],
    ['(?m)^a', 'a\na', 1, { start: 2, end: 3 }],
    ['\\B.', '😀a', 2, undefined],
    ['', '', 0, { start: 0, end: 0 }],
    ['😀', 'a😀', 0, { start: 1, end: 3 }],
  ])('finds %s in %j from %i', (pattern, text, from, expected) => {
    expect(find(pattern, text, from)).toEqual(expected);
  });

  it.each(['(a+)+$', '(a|a)*b', '(a*)*b', '(?:a?){40}a{40}b'])('takes steps in proportion to the length of the text for %s', (pattern) => {
    const stepsFor = (length: number): number => {
      let steps = 0;
      find(pattern, `${'a'.repeat(length)}!`, 0, (added) => {
        steps += added;
      });
      return steps;
    };
    expect(stepsFor(4000) / stepsFor(2000)).toBeLessThan(2.2);
  });

  it('stops when the step counter throws', () => {
    const stop = (): never => {
      throw new Error('enough');
    };
    expect(() => find('b', 'aaa', 0, stop)).toThrow('enough');
  });
});
