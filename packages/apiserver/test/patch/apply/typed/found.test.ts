import { describe, expect, test } from 'vitest';
import { fc } from '../../../../../../test/support/property.ts';
import { pathsOf } from '../../../../src/patch/apply/field-set.ts';
import { compare, traceOf } from '../../../../src/patch/apply/typed/compare.ts';
import type { Comparison } from '../../../../src/patch/apply/typed/found.ts';
import { toy } from '../../support.ts';
import { toys } from '../../toys.ts';

describe('the trace of a comparison', () => {
  const names = fc.constantFrom('a', 'b', 'a+<f:b', 'a+<3>f:b', 'a+<>f:b');
  const setsOf = ({ added, modified, removed }: Comparison) => [added, modified, removed].map((set) => pathsOf(set));

  test.each([
    [
      'small toys',
      fc.record(
        { count: fc.nat(1), flag: fc.boolean(), labels: fc.dictionary(names, fc.constantFrom('x', 'y'), { maxKeys: 2 }) },
        { requiredKeys: [] },
      ),
    ],
    ['toys of all kinds', toys],
  ])('tells all that differ apart, and is the same where they are found the same way: %s', (_, some) => {
    const seen = new Map<string, unknown>();
    fc.assert(
      fc.property(some, some, (left, right) => {
        const sets = setsOf(compare(left, right, toy));
        const trace = traceOf(left, right, toy);
        expect(seen.get(trace) ?? sets).toEqual(sets);
        seen.set(trace, sets);
        expect(traceOf(structuredClone(left), structuredClone(right), toy)).toBe(trace);
      }),
      { numRuns: 1000 },
    );
    expect(seen.size).toBeGreaterThan(100);
  });

  test('tells what came from what went and from what changed', () => {
    const of = (left: object, right: object): string => traceOf(left, right, toy);
    const [none, one, two] = [{}, { count: 1 }, { count: 2 }];
    expect(new Set([of(none, one), of(one, none), of(one, two)]).size).toBe(3);
  });

  test('tells what is in a field from what is beside it', () => {
    const of = (any: object): string => traceOf({ any: { a: { b: 1 } } }, { any }, toy);
    expect(of({ a: { b: 1, c: 1 }, d: 1 })).not.toBe(of({ a: { b: 1, c: 1, d: 1 } }));
  });

  test.each(['a+<>f:b', 'a+<f:b', 'a+<3>f:b', 'a+<2>f:b'])('tells two names from one that looks like both: %s', (name) => {
    const of = (labels: object): string => traceOf({ labels: { x: '' } }, { labels: { x: '', ...labels } }, toy);
    expect(of({ a: '', b: '' })).not.toBe(of({ [name]: '' }));
  });

  test('does not hold what is compared, but for what tells items apart', () => {
    const of = (size: number, name: string): string => traceOf({}, { count: size, items: [{ name, size }] }, toy);
    expect(of(1, 'a')).toBe(of(2, 'a'));
    expect(of(1, 'a')).not.toBe(of(1, 'b'));
  });

  test('says nothing of what is the same', () => {
    const left = { labels: { a: 'b' }, nest: { left: 'x' }, items: [{ name: 'a', size: 1 }] };
    expect(traceOf(left, structuredClone(left), toy)).toBe('');
  });

  test('throws over items that cannot be told apart, as the comparison does', () => {
    const wrong = { items: [1] };
    expect(() => compare({}, wrong, toy, true)).toThrow();
    expect(() => traceOf({}, wrong, toy, true)).toThrow();
  });
});
