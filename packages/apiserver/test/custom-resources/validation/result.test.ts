import { describe, expect, it } from 'vitest';
import { merge, newResult, report } from '../../../src/custom-resources/validation/result.ts';

describe('report', () => {
  it('tells of a problem once, however many there are', () => {
    const result = newResult();
    for (let i = 0; i < 100; i += 1) report(result, { code: 'free', name: '', message: `problem ${i % 40}` });
    expect(result.problems.map(({ message }) => message)).toEqual(Array.from({ length: 40 }, (_, i) => `problem ${i}`));
  });
});

describe('merge', () => {
  it('adds problems that are new, and matches', () => {
    const [one, other] = [newResult(), newResult()];
    report(one, { code: 'free', name: '', message: 'a' });
    for (const message of ['a', 'b']) report(other, { code: 'free', name: '', message });
    other.matches = 3;
    merge(one, other);
    expect(one.problems.map(({ message }) => message)).toEqual(['a', 'b']);
    expect(one.matches).toBe(3);
  });
});
