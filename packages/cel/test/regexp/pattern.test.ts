import { describe, expect, it } from 'vitest';
import { compilePattern } from '../../src/regexp/pattern.ts';
import { patterns, texts } from './golden/vectors.ts';

function answer(pattern: string): string {
  const compiled = compilePattern(pattern);
  return 'problem' in compiled ? compiled.problem : texts.map((text) => (compiled.matches(text) ? '1' : '0')).join('');
}

function matches(pattern: string, text: string): boolean {
  const compiled = compilePattern(pattern);
  if ('problem' in compiled) throw new Error(compiled.problem);
  return compiled.matches(text);
}

describe('compilePattern', () => {
  it('answers as Go does', () => {
    expect(patterns.length).toBeGreaterThan(400);
    expect(patterns.map(([pattern]) => [pattern, answer(pattern)])).toEqual(patterns);
  });

  it.each(['(a+)+$', '^(a|a)*$', '(a*)*b', '(?:a?){40}a{40}$', '([a-z]+)*\\d$'])('is done with %s and a long text', (pattern) => {
    // A machine that goes back and tries again takes longer than the world has been there.
    expect(matches(pattern, `${'a'.repeat(50_000)}!`)).toBe(false);
  });

  it('gives up on what takes too many steps', () => {
    const large = compilePattern('(?:.{0,30}x){30}y');
    if ('problem' in large) throw new Error(large.problem);
    const text = Array.from({ length: 40_000 }, (_, i) => String.fromCodePoint(0x4e00 + (i % 20_000))).join('');
    expect(large.matches(`${text}${'x'.repeat(30)}y`)).toBe(false);
    expect(large.matches(`${'x'.repeat(30)}y`)).toBe(true);
  });

  it('remembers a bounded number of states, and goes on without', () => {
    const many = compilePattern('(?:a|b)*a(?:a|b){16}$');
    if ('problem' in many) throw new Error(many.problem);
    let bits = 1;
    const text = Array.from({ length: 30_000 }, () => {
      bits = (bits >> 1) ^ (bits & 1 ? 0xb400 : 0);
      return bits & 1 ? 'a' : 'b';
    }).join('');
    expect(many.matches(`${text}a${'b'.repeat(16)}`)).toBe(true);
    expect(many.matches(`${text}b${'a'.repeat(16)}`)).toBe(false);
  });

  it('refuses what is too large, and what is too deep', () => {
    expect(compilePattern(`${'a{1000}'.repeat(21)}`)).toEqual({
      problem: `error parsing regexp: expression too large: \`${'a{1000}'.repeat(21)}\``,
    });
    const deep = `${'('.repeat(251)}a${')'.repeat(251)}`;
    expect(compilePattern(deep)).toEqual({ problem: `error parsing regexp: expression nests too deeply: \`${deep}\`` });
  });

  it('takes other limits', () => {
    expect(compilePattern('ab{3}', { instructions: 4 })).toEqual({ problem: 'error parsing regexp: expression too large: `ab{3}`' });
    const pattern = compilePattern('ab{3}', { instructions: 5, remembered: 1 });
    if ('problem' in pattern) throw new Error(pattern.problem);
    expect(pattern.size).toBe(5);
    for (const text of ['abbb', 'xabbbx', 'abb', 'ababbb', 'abb'])
      expect([text, pattern.matches(text)]).toEqual([text, /ab{3}/.test(text)]);
  });

  it('is done at once with what is empty, however often', () => {
    expect(matches('(?:){1000}'.repeat(20_000), 'x')).toBe(true);
  });
});
