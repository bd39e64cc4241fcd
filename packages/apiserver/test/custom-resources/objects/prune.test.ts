import { describe, expect, it } from 'vitest';
import { mapItems, prune, setField, withField } from '../../../src/custom-resources/objects/prune.ts';
import type { Schema } from '../../../src/custom-resources/schema/schema.ts';

const int: Schema = { type: 'integer' };
const preserveUnknownFields = { 'x-kubernetes-preserve-unknown-fields': true } as const;

function pruneAndReport(value: unknown, schema: Schema | undefined, isRoot = false): readonly [unknown, string[]] {
  const unknownPaths: string[] = [];
  return [prune(value, schema, isRoot, unknownPaths), unknownPaths];
}

describe('prune', () => {
  it('drops unknown fields and reports their paths', () => {
    const schema: Schema = { properties: { a: int, list: { items: { properties: { b: int } } } } };
    expect(pruneAndReport({ a: 1, x: 1, list: [{ b: 1, y: 2 }, { b: 2 }] }, schema)).toEqual([
      { a: 1, list: [{ b: 1 }, { b: 2 }] },
      ['x', 'list[0].y'],
    ]);
  });

  it('returns the same instance if nothing is dropped', () => {
    const value = { a: 1, list: [{ b: 1 }] };
    expect(prune(value, { properties: { a: int, list: { items: { properties: { b: int } } } } }, false)).toBe(value);
  });

  it('keeps kind, apiVersion and metadata of the root and of embedded objects only', () => {
    const object = { apiVersion: 'v1', kind: 'X', metadata: { anything: 1 }, spec: { kind: 'Y' } };
    expect(pruneAndReport(object, { properties: { spec: { type: 'object' } } }, true)).toEqual([
      { apiVersion: 'v1', kind: 'X', metadata: { anything: 1 }, spec: {} },
      ['spec.kind'],
    ]);
    const embedded: Schema = { properties: { spec: { 'x-kubernetes-embedded-resource': true } } };
    expect(pruneAndReport({ spec: { kind: 'Y', z: 1 } }, embedded, true)).toEqual([{ spec: { kind: 'Y' } }, ['spec.z']]);
  });

  it('prunes the values of maps', () => {
    expect(pruneAndReport({ a: { b: 1, c: 1 } }, { additionalProperties: { properties: { b: int } } })).toEqual([{ a: { b: 1 } }, ['a.c']]);
    expect(pruneAndReport({ a: { b: 1 } }, { additionalProperties: true })).toEqual([{ a: {} }, ['a.b']]);
  });

  it('preserves unknown fields if the schema has x-kubernetes-preserve-unknown-fields, but not within declared fields', () => {
    const schema: Schema = { ...preserveUnknownFields, properties: { strict: { properties: { a: int } } } };
    expect(pruneAndReport({ x: { y: 1 }, strict: { a: 1, b: 2 } }, schema)).toEqual([{ x: { y: 1 }, strict: { a: 1 } }, ['strict.b']]);
  });

  it('keeps only apiVersion, kind and metadata without a schema', () => {
    expect(pruneAndReport({ kind: 'X', spec: {} }, undefined, true)).toEqual([{ kind: 'X' }, ['spec']]);
  });

  it('treats __proto__ as an ordinary field', () => {
    const value: unknown = JSON.parse('{"__proto__":{"a":1},"x":1}');
    const schema = JSON.parse('{"properties":{"__proto__":{"type":"object","properties":{"a":{"type":"integer"}}}}}') as Schema;
    expect(JSON.stringify(prune(value, schema, false))).toBe('{"__proto__":{"a":1}}');
    expect(JSON.stringify(prune(value, { properties: { x: int } }, false))).toBe('{"x":1}');
  });
});

describe('mapItems', () => {
  it('returns the same list if nothing changes', () => {
    const list = [1, 2];
    expect(mapItems(list, (item) => item)).toBe(list);
    expect(mapItems(list, (item) => (item === 2 ? 3 : item))).toEqual([1, 3]);
    expect(list).toEqual([1, 2]);
  });
});

describe('setField', () => {
  it('sets a field of any name, including __proto__', () => {
    const target: Record<string, unknown> = {};
    for (const name of ['a', '__proto__', 'constructor']) setField(target, name, { polluted: true });
    expect(Object.keys(target)).toEqual(['a', '__proto__', 'constructor']);
    expect(Object.getPrototypeOf(target)).toBe(Object.prototype);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});

describe('withField', () => {
  it('copies the object with the field set or removed', () => {
    const object = { a: 1, b: 2 };
    expect(withField(object, 'a', 5)).toEqual({ a: 5, b: 2 });
    expect(withField(object, 'a', undefined)).toEqual({ b: 2 });
    expect(object).toEqual({ a: 1, b: 2 });
  });
});
