import { describe, expect, it } from 'vitest';
import { createResult, merge, printValue, report, toCauses } from '../../../src/custom-resources/validation/problem.ts';

describe('toCauses', () => {
  it('reports each kind of problem with the message of kube-apiserver', () => {
    const causes = toCauses([
      { code: 'required', path: '.a', message: '' },
      { code: 'enum', path: 'a.b', message: '', value: 5, allowed: ['x', 1] },
      { code: 'tooLong', path: 'c', message: '', limit: 1 },
      { code: 'tooMany', path: 'd', message: '', value: 3, limit: 2 },
      { code: 'type', path: 'e', message: 'e in body must be of type string: "integer"', value: 'integer' },
      { code: 'invalid', path: '', message: 'whole', value: { b: 1, a: 2 } },
      { code: 'free', path: 'f', message: 'free' },
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

  it('prefixes fields with the path of the validated value', () => {
    const fields = toCauses(
      ['', 'a', '.b'].map((path) => ({ code: 'invalid', path, message: '' })),
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
  ])('prints %j as in messages of kube-apiserver', (value, text) => {
    expect(printValue(value)).toBe(text);
  });
});

describe('report', () => {
  it('adds a problem with the same message only once', () => {
    const result = createResult();
    for (let i = 0; i < 100; i += 1) report(result, { code: 'free', path: '', message: `problem ${i % 40}` });
    expect(result.problems.map(({ message }) => message)).toEqual(Array.from({ length: 40 }, (_, i) => `problem ${i}`));
  });
});

describe('merge', () => {
  it('adds new problems and sums matches', () => {
    const [first, second] = [createResult(), createResult()];
    report(first, { code: 'free', path: '', message: 'a' });
    for (const message of ['a', 'b']) report(second, { code: 'free', path: '', message });
    second.matches = 3;
    merge(first, second);
    expect(first.problems.map(({ message }) => message)).toEqual(['a', 'b']);
    expect(first.matches).toBe(3);
  });
});
