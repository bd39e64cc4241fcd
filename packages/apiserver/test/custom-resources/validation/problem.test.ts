import { describe, expect, it } from 'vitest';
import { causesOf, merge, newResult, printValue, report } from '../../../src/custom-resources/validation/problem.ts';

describe('causesOf', () => {
  it('reports each kind of problem with the message of kube-apiserver', () => {
    const causes = causesOf([
      { code: 'required', name: '.a', message: '' },
      { code: 'enum', name: 'a.b', message: '', value: 5, allowed: ['x', 1] },
      { code: 'tooLong', name: 'c', message: '', limit: 1 },
      { code: 'tooMany', name: 'd', message: '', value: 3, limit: 2 },
      { code: 'type', name: 'e', message: 'e in body must be of type string: "integer"', value: 'integer' },
      { code: 'invalid', name: '', message: 'whole', value: { b: 1, a: 2 } },
      { code: 'free', name: 'f', message: 'free' },
    ]);
    expect(causes).toEqual([
      { reason: 'FieldValueRequired', field: 'a', message: 'Required value' },
      { reason: 'FieldValueNotSupported', field: 'a.b', message: 'Unsupported value: 5: supported values: "x", "1"' },
      { reason: 'FieldValueTooLong', field: 'c', message: 'Too long: may not be more than 1 byte' },
      { reason: 'FieldValueTooMany', field: 'd', message: 'Too many: 3: must have at most 2 items' },
      { reason: 'FieldValueTypeInvalid', field: 'e', message: 'Invalid value: "integer": e in body must be of type string: "integer"' },
      { reason: 'FieldValueInvalid', field: '<nil>', message: 'Invalid value: {"a":2,"b":1}: whole' },
      { reason: 'FieldValueInvalid', field: '<nil>', message: 'Invalid value: "": free' },
    ]);
  });

  it('prefixes fields with the validated path', () => {
    const fields = causesOf(
      ['', 'a', '.b'].map((name) => ({ code: 'invalid', name, message: '' })),
      'status',
    ).map(({ field }) => field);
    expect(fields).toEqual(['status', 'status.a', 'status.b']);
  });
});

describe('printValue', () => {
  it.each([
    ['a"b', '"a\\"b"'],
    [1e21, '1e+21'],
    [{ b: [{ d: 1, c: 2 }], a: null }, '{"a":null,"b":[{"c":2,"d":1}]}'],
  ])('prints %j', (value, text) => {
    expect(printValue(value)).toBe(text);
  });
});

describe('report', () => {
  it('reports each problem once', () => {
    const result = newResult();
    for (let i = 0; i < 100; i += 1) report(result, { code: 'free', name: '', message: `problem ${i % 40}` });
    expect(result.problems.map(({ message }) => message)).toEqual(Array.from({ length: 40 }, (_, i) => `problem ${i}`));
  });
});

describe('merge', () => {
  it('adds new problems and sums matches', () => {
    const [one, other] = [newResult(), newResult()];
    report(one, { code: 'free', name: '', message: 'a' });
    for (const message of ['a', 'b']) report(other, { code: 'free', name: '', message });
    other.matches = 3;
    merge(one, other);
    expect(one.problems.map(({ message }) => message)).toEqual(['a', 'b']);
    expect(one.matches).toBe(3);
  });
});
