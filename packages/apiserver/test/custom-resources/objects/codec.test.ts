import { describe, expect, it } from 'vitest';
import { createDecoder } from '../../../src/custom-resources/objects/codec.ts';
import type { Schema } from '../../../src/custom-resources/schema/schema.ts';
import { isDeeper } from '../../../src/resources/field/read.ts';
import { makeThing, nest, openSchema, things } from '../support.ts';

const schema: Schema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: { a: { type: 'string', default: 'x' }, o: { type: 'object', 'x-kubernetes-embedded-resource': true } },
    },
  },
};
const decode = createDecoder(things, schema);

describe('createDecoder', () => {
  it('prunes, defaults, and reports unknown fields in the order of kube-apiserver', () => {
    const body = makeThing({ spec: { b: 1, o: { kind: 'X', apiVersion: 'v1', metadata: { y: 1 } } }, z: 1 }, { nonesuch: 1 } as object);
    const { object, unknown } = decode(body);
    expect(object).toEqual(makeThing({ spec: { a: 'x', o: { kind: 'X', apiVersion: 'v1', metadata: {} } } }));
    expect(unknown).toEqual(['metadata.nonesuch', 'spec.b', 'z', 'spec.o.metadata.y']);
  });

  it('sets apiVersion and kind, and drops undefined fields', () => {
    expect(decode({ metadata: { name: 'a' }, spec: undefined }).object).toEqual({
      apiVersion: 'example.com/v1',
      kind: 'Thing',
      metadata: { name: 'a' },
    });
  });

  it('does not modify an object of a different kind', () => {
    const body = { ...makeThing({ spec: { b: 1 } }), kind: 'Other' };
    expect(decode(body)).toMatchObject({ object: body, unknown: [] });
  });

  it('reports a problem for unreadable objects', () => {
    expect(decode('x').problem).toBe('the body is no object');
    expect(decode(makeThing({}, { labels: 5 } as object)).problem).toContain('cannot unmarshal number');
    expect(decode(makeThing({ spec: { o: { kind: 5 } } })).problem).toBe('spec.o.kind: Invalid value: 5: must be a string');
    expect(createDecoder(things, openSchema)(makeThing({ spec: nest(600) })).problem).toBe('exceeded max depth');
  });

  it('caches the result for stored objects, which are frozen', () => {
    const storedObject = Object.freeze(makeThing({ spec: { b: 1 } }));
    expect(decode(storedObject)).toBe(decode(storedObject));
    const unfrozenObject = makeThing({ spec: { b: 1 } });
    expect(decode(unfrozenObject)).not.toBe(decode(unfrozenObject));
  });

  it('keeps a field named __proto__', () => {
    const body: unknown = JSON.parse('{"apiVersion":"example.com/v1","kind":"Thing","metadata":{"name":"a"},"spec":{"__proto__":{"a":1}}}');
    const { object } = createDecoder(things, openSchema)(body);
    expect(JSON.stringify(object['spec'])).toBe('{"__proto__":{"a":1}}');
    expect(({} as { a?: number }).a).toBeUndefined();
  });
});

describe('isDeeper', () => {
  it('counts nested objects and lists as levels', () => {
    expect(isDeeper('x', 0)).toBe(false);
    expect(isDeeper({}, 0)).toBe(true);
    expect(isDeeper({ a: [{ b: null }] }, 3)).toBe(false);
    expect(isDeeper({ a: [{ b: null }] }, 2)).toBe(true);
  });

  it('handles values that are nested far deeper than the limit', () => {
    expect(isDeeper(nest(100_000), 1000)).toBe(true);
  });
});
