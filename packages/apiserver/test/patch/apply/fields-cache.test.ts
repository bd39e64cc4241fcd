import { describe, expect, it, test, vi } from 'vitest';
import { createFieldSet, difference, pathsOf } from '../../../src/patch/apply/field-set.ts';
import { createFieldsCache, formatFields, parseFields } from '../../../src/patch/apply/fields-cache.ts';
import { inlineType } from '../../../src/patch/types/type.ts';
import { sizeOf } from '../../../src/store/intern.ts';
import { sizeOfShared } from '../../../src/store/shared.ts';
import { toy } from '../support.ts';

const createSet = () => createFieldSet(['f:a'], ['f:b', 'f:c']);
const fields = { 'f:a': {}, 'f:b': { 'f:c': {} } };
const atomicType = inlineType({
  map: { fields: new Map([['b', { type: inlineType({ map: { fields: new Map(), atomic: true } }) }]]), atomic: false },
});

describe('createFieldsCache', () => {
  it('parses a frozen value once, and a mutable one each time', () => {
    const cache = createFieldsCache();
    const frozen = Object.freeze({ ...fields });
    expect(cache.parse(frozen)).toEqual(createSet());
    expect(cache.parse(frozen)).toBe(cache.parse(frozen));
    const mutable: Record<string, object> = { 'f:a': {} };
    expect(cache.parse(mutable)).toEqual(createFieldSet(['f:a']));
    mutable['f:d'] = {};
    expect(cache.parse(mutable)).toEqual(createFieldSet(['f:a'], ['f:d']));
    expect(() => cache.parse('x')).toThrow(SyntaxError);
  });

  it('formats a set once, and parses its output to the same set', () => {
    const cache = createFieldsCache();
    const input = createSet();
    expect(cache.format(input, false)).toEqual(fields);
    expect(cache.format(input, false)).toBe(cache.format(input, false));
    expect(cache.parse(cache.format(input, false))).toBe(input);
  });

  it('reconciles a set with a type once, unless the set is final', () => {
    const cache = createFieldsCache();
    const [input, finalSet] = [createSet(), createSet()];
    expect(cache.reconcile(input, atomicType)).toEqual(createFieldSet(['f:a'], ['f:b']));
    expect(cache.reconcile(input, atomicType)).toBe(cache.reconcile(input, atomicType));
    expect(cache.reconcile(input, inlineType({ scalar: 'untyped' }))).toBe(input);
    cache.format(finalSet, true);
    expect(cache.reconcile(finalSet, atomicType)).toBe(finalSet);
  });

  it('creates the value of a frozen entry once', () => {
    const cache = createFieldsCache();
    const make = vi.fn(() => ({}));
    const [frozen, mutable] = [Object.freeze({}), {}];
    expect(cache.getEntry(frozen, make)).toBe(cache.getEntry(frozen, make));
    expect(make).toHaveBeenCalledTimes(1);
    expect(cache.getEntry(mutable, make)).not.toBe(cache.getEntry(mutable, make));
  });

  it('formats to shared, frozen values', () => {
    const formatted = createFieldsCache().format(createSet(), true);
    expect(() => Object.assign(formatted['f:b'] as object, { x: {} })).toThrow(TypeError);
    expect(sizeOfShared(formatted)).toBe(sizeOf(formatted));
  });

  it('returns the same sets for comparisons that differ in the same fields', () => {
    const { compare } = createFieldsCache();
    const comparison = compare({}, { count: 1, labels: { a: 'x' } }, toy);
    expect(pathsOf(comparison.added)).toEqual([['f:count'], ['f:labels'], ['f:labels', 'f:a']]);
    expect(compare({}, { count: 2, labels: { a: 'y' } }, toy)).toBe(comparison);
    expect(compare({}, { count: 2, labels: { b: 'y' } }, toy)).not.toBe(comparison);
  });

  it('separates trusted comparisons from others', () => {
    const { compare } = createFieldsCache();
    expect(compare({}, { count: 1 }, toy, true)).not.toBe(compare({}, { count: 1 }, toy, false));
  });

  it('does not cache large comparisons', () => {
    const { compare } = createFieldsCache();
    const labels = (count: number) => ({ labels: Object.fromEntries(Array.from({ length: count }, (_, i) => [`label-${i}`, 'x'])) });
    expect(compare({}, labels(100), toy)).toBe(compare({}, labels(100), toy));
    expect(compare({}, labels(1000), toy)).not.toBe(compare({}, labels(1000), toy));
    expect(compare({}, labels(1000), toy)).toEqual(compare({}, labels(1000), toy));
  });

  it('caches differences of sets', () => {
    const { subtract } = createFieldsCache();
    const make = vi.fn(difference);
    const [input, removedFields, other] = [createSet(), createFieldSet(['f:a']), createFieldSet(['f:b', 'f:c'])];
    expect(subtract(input, removedFields, make)).toEqual(createFieldSet(['f:b', 'f:c']));
    expect(subtract(input, removedFields, make)).toBe(subtract(input, removedFields, make));
    expect(make).toHaveBeenCalledTimes(1);
    expect(subtract(input, other, make)).toEqual(createFieldSet(['f:a']));
  });

  it('caches a thousand texts, then starts over', () => {
    const { getByText } = createFieldsCache();
    const make = vi.fn(() => ({}));
    for (let round = 0; round < 2; round++) for (let i = 0; i < 1000; i++) getByText(`t${i}`, make);
    expect(make).toHaveBeenCalledTimes(1000);
    getByText('more', make);
    getByText('t0', make);
    expect(make).toHaveBeenCalledTimes(1002);
  });
});

test('formatFields writes what parseFields read, in order', () => {
  const text =
    '{"f:metadata":{"f:finalizers":{".":{},"v:\\"a\\"":{}},"f:labels":{".":{},"f:__proto__":{},"f:b":{}}},"f:spec":{"f:ports":{"k:{\\"port\\":80}":{".":{},"f:name":{}}}}}';
  expect(JSON.stringify(formatFields(parseFields(JSON.parse(text))))).toBe(text);
});

test('formatFields normalizes spelling and order', () => {
  const fields = parseFields({ 'f:b': {}, 'f:a': { 'k:{"y":1,"x":2}': { 'f:c': {} }, 'k:{"x":2,"y":1}': {} } });
  expect(JSON.stringify(formatFields(fields))).toBe('{"f:a":{"k:{\\"x\\":2,\\"y\\":1}":{".":{},"f:c":{}}},"f:b":{}}');
});

test('parseFields drops elements of unknown kinds', () => {
  expect(pathsOf(parseFields({ 'x:a': { 'f:b': {} }, 'f:c': { 'x:d': {} } }))).toEqual([['f:c']]);
});

test('parseFields returns the empty set for undefined', () => {
  expect(formatFields(parseFields(undefined))).toEqual({});
});

test.each([[{ a: {} }], [{ 'f:a': 5 }], [[]], [{ 'k:5': {} }]])('parseFields refuses %j', (fields) => {
  expect(() => parseFields(fields)).toThrow(SyntaxError);
});
