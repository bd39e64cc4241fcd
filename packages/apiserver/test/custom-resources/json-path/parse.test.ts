import { describe, expect, it } from 'vitest';
import { isInt64, parsePath, printNumber, printPlain } from '../../../src/custom-resources/json-path/parse.ts';

const field = (name: string) => ({ kind: 'field', name });

describe('parsePath', () => {
  it.each([
    ['.spec.name', [field('spec'), field('name')]],
    ['.metadata.annotations.a\\.b/c', [field('metadata'), field('annotations'), field('a.b/c')]],
    [".a['b']", [field('a'), field('b')]],
    ['.*', [{ kind: 'wildcard' }]],
    ['..name', [{ kind: 'recursive' }, field('name')]],
    ['.a[0]', [field('a'), { kind: 'slice', isIndex: true, start: 0 }]],
    ['.a[1:-1:2]', [field('a'), { kind: 'slice', isIndex: false, start: 1, end: -1, step: 2 }]],
    ['.a[*]', [field('a'), { kind: 'slice', isIndex: false }]],
    [
      ".a['b','c']",
      [
        field('a'),
        {
          kind: 'union',
          paths: [[field('b')], [field('c')]],
        },
      ],
    ],
    [
      '.a[?(@.type=="Ready")].status',
      [
        field('a'),
        { kind: 'filter', left: [field('type')], operator: '==', right: [{ kind: 'constant', value: 'Ready' }] },
        field('status'),
      ],
    ],
    ['.a[?(@.b)]', [field('a'), { kind: 'filter', left: [field('b')] }]],
    ['.a[?(@.b==-1.5)]', [field('a'), { kind: 'filter', left: [field('b')], operator: '==', right: [{ kind: 'constant', value: -1.5 }] }]],
    ['.a[?(@.b==true)]', [field('a'), { kind: 'filter', left: [field('b')], operator: '==', right: [{ kind: 'constant', value: true }] }]],
    ['', []],
  ])('parses %s', (path, steps) => {
    expect(parsePath(path)).toEqual(steps);
  });

  it.each(['.a[', '.a[x]', '.a[?(@.b', '.a[?(@.b==#)]', 'name', '.a{b}', '1.2.3', '.a[b,c]'])(
    'returns undefined for the malformed path %s',
    (path) => {
      expect(parsePath(path)).toBeUndefined();
    },
  );
});

describe('printPlain', () => {
  it.each([
    ['text', 'text'],
    [true, 'true'],
    [null, '<nil>'],
    [{ b: [1, 'x'], a: null }, 'map[a:<nil> b:[1 x]]'],
    [1.5, '1.5'],
  ])('prints %j as Go does', (value, text) => {
    expect(printPlain(value)).toBe(text);
  });
});

describe('printNumber', () => {
  it.each([
    [1e15, '1000000000000000'],
    [10n ** 18n, '1000000000000000000'],
    [1e18, '1e+18'],
    [1e19, '1e+19'],
    [0.00001, '1e-05'],
    [0.0001, '0.0001'],
    [1234567.5, '1.2345675e+06'],
    [-0.5, '-0.5'],
  ])('prints %s as Go does', (value, text) => {
    expect(printNumber(value)).toBe(text);
  });

  it('isInt64 accepts only integers that fit into 64 bits', () => {
    expect([isInt64(5), isInt64(2n ** 62n), isInt64(2 ** 62), isInt64(1.5)]).toEqual([true, true, false, false]);
  });
});
