import { describe, expect, it } from 'vitest';
import { compilePattern, type Found } from '../../src/regexp/pattern.ts';

function find(pattern: string, text: string, from = 0, spend: (steps: number) => void = () => undefined): Found | undefined {
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
  ])('finds %s in %j from %i', (pattern, text, from, found) => {
    expect(find(pattern, text, from)).toEqual(found);
  });

  it.each(['(a+)+$', '(a|a)*b', '(a*)*b', '(?:a?){40}a{40}b'])('takes steps in proportion to the text for %s', (pattern) => {
    const stepsFor = (length: number): number => {
      let steps = 0;
      find(pattern, `${'a'.repeat(length)}!`, 0, (more) => {
        steps += more;
      });
      return steps;
    };
    expect(stepsFor(4000) / stepsFor(2000)).toBeLessThan(2.2);
  });

  it('is ended by who counts', () => {
    const stop = (): never => {
      throw new Error('enough');
    };
    expect(() => find('b', 'aaa', 0, stop)).toThrow('enough');
  });
});
