import { expect, test } from 'vitest';
import { pathsOf, setOf } from '../../../src/patch/apply/field-set.ts';
import { stripped } from '../../../src/patch/apply/unmanaged.ts';

const versioned = (...paths: string[][]) => ({ set: setOf(...paths), apiVersion: 'v1', applied: false });

test('what identifies an object belongs to nobody', () => {
  const managers = new Map([
    ['a', versioned(['f:apiVersion'], ['f:metadata', 'f:name'], ['f:metadata', 'f:labels'], ['f:spec'])],
    ['b', versioned(['f:metadata', 'f:name'])],
  ]);
  expect(pathsOf(stripped(managers, 'a').get('a')?.set ?? setOf())).toEqual([['f:spec'], ['f:metadata', 'f:labels']]);
  expect(stripped(managers, 'a').get('b')).toBe(managers.get('b'));
});

test('who has nothing else is no manager', () => {
  expect(stripped(new Map([['b', versioned(['f:kind'], ['f:metadata'])]]), 'b').size).toBe(0);
  expect(stripped(new Map(), 'c').size).toBe(0);
});
