import { describe, expect, test } from 'vitest';
import { fc } from '../../../../../../test/support/property.ts';
import { pathsOf } from '../../../../src/patch/apply/field-set.ts';
import { compare, traceDifferences } from '../../../../src/patch/apply/typed/compare.ts';
import type { Comparison } from '../../../../src/patch/apply/typed/difference-visitor.ts';
import { toy } from '../../support.ts';
import { toys } from '../../toys.ts';

describe('traceDifferences', () => {
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
  ])('returns equal traces only for equal field sets, and is deterministic: %s', (_, values) => {
    const seen = new Map<string, unknown>();
    fc.assert(
      fc.property(values, values, (left, right) => {
        const sets = setsOf(compare(left, right, toy));
        const trace = traceDifferences(left, right, toy);
        expect(seen.get(trace) ?? sets).toEqual(sets);
        seen.set(trace, sets);
        expect(traceDifferences(structuredClone(left), structuredClone(right), toy)).toBe(trace);
      }),
      { numRuns: 1000 },
    );
    expect(seen.size).toBeGreaterThan(100);
  });

  test('distinguishes added, removed and modified fields', () => {
    const traceDifference = (left: object, right: object): string => traceDifferences(left, right, toy);
    const [empty, one, two] = [{}, { count: 1 }, { count: 2 }];
    expect(new Set([traceDifference(empty, one), traceDifference(one, empty), traceDifference(one, two)]).size).toBe(3);
  });

  test('distinguishes nested fields from siblings', () => {
    const traceDifference = (any: object): string => traceDifferences({ any: { a: { b: 1 } } }, { any }, toy);
    expect(traceDifference({ a: { b: 1, c: 1 }, d: 1 })).not.toBe(traceDifference({ a: { b: 1, c: 1, d: 1 } }));
  });

  test.each(['a+<>f:b', 'a+<f:b', 'a+<3>f:b', 'a+<2>f:b'])('distinguishes two keys from one key that looks like both: %s', (name) => {
    const traceDifference = (labels: object): string => traceDifferences({ labels: { x: '' } }, { labels: { x: '', ...labels } }, toy);
    expect(traceDifference({ a: '', b: '' })).not.toBe(traceDifference({ [name]: '' }));
  });

  test('returns no values, except for the identity of items', () => {
    const traceDifference = (size: number, name: string): string => traceDifferences({}, { count: size, items: [{ name, size }] }, toy);
    expect(traceDifference(1, 'a')).toBe(traceDifference(2, 'a'));
    expect(traceDifference(1, 'a')).not.toBe(traceDifference(1, 'b'));
  });

  test('returns an empty trace for equal values', () => {
    const left = { labels: { a: 'b' }, nest: { left: 'x' }, items: [{ name: 'a', size: 1 }] };
    expect(traceDifferences(left, structuredClone(left), toy)).toBe('');
  });

  test('throws for items without identity, as compare does', () => {
    const wrong = { items: [1] };
    expect(() => compare({}, wrong, toy, true)).toThrow();
    expect(() => traceDifferences({}, wrong, toy, true)).toThrow();
  });
});
