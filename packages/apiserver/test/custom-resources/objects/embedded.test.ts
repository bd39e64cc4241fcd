import { describe, expect, it } from 'vitest';
import { coerceEmbedded, decodeMetadata, UnreadableObject, validateEmbedded } from '../../../src/custom-resources/objects/embedded.ts';
import type { Schema } from '../../../src/custom-resources/schema/schema.ts';

const embedded: Schema = { type: 'object', 'x-kubernetes-embedded-resource': true };
const schema: Schema = {
  properties: { one: embedded, list: { type: 'array', items: embedded }, map: { type: 'object', additionalProperties: embedded } },
};
const pod = (metadata: unknown): unknown => ({ apiVersion: 'v1', kind: 'Pod', metadata });

describe('decodeMetadata', () => {
  it('reads the fields of ObjectMeta and reports unknown ones', () => {
    expect(decodeMetadata({ name: 'a', nonesuch: 1, creationTimestamp: null })).toEqual({ metadata: { name: 'a' }, unknown: ['nonesuch'] });
    expect(decodeMetadata({ labels: { a: 5 } }).problem).toContain(
      'cannot unmarshal number into Go struct field ObjectMeta.labels of type string',
    );
  });
});

describe('coerceEmbedded', () => {
  it('coerces metadata in fields, lists and maps', () => {
    const unknownPaths: string[] = [];
    const withUnknownField = { name: 'a', x: 1 };
    const value = {
      one: pod(withUnknownField),
      list: [pod(withUnknownField)],
      map: { k: pod(withUnknownField) },
      other: pod(withUnknownField),
    };
    const coercedPod = pod({ name: 'a' });
    expect(coerceEmbedded(value, schema, '', unknownPaths)).toEqual({
      one: coercedPod,
      list: [coercedPod],
      map: { k: coercedPod },
      other: pod(withUnknownField),
    });
    expect(unknownPaths).toEqual(['one.metadata.x', 'list[0].metadata.x', 'map[k].metadata.x']);
  });

  it('refuses apiVersion, kind and metadata of the wrong type', () => {
    expect(() => coerceEmbedded({ one: { kind: 5 } }, schema, '', [])).toThrow(UnreadableObject);
    expect(() => coerceEmbedded({ one: { apiVersion: [] } }, schema, '', [])).toThrow(
      'one.apiVersion: Invalid value: []: must be a string',
    );
    expect(() => coerceEmbedded({ one: pod({ name: 5 }) }, schema, '', [])).toThrow(
      'one.metadata: Invalid value: {"name":5}: json: cannot',
    );
  });
});

describe('validateEmbedded', () => {
  const problemsOf = (value: unknown): string[] => validateEmbedded(value, schema, '').map(({ field, message }) => `${field}: ${message}`);

  it('requires a valid apiVersion and kind', () => {
    expect(problemsOf({ one: {}, list: [{ apiVersion: '', kind: '' }] })).toEqual([
      'one.apiVersion: Required value',
      'one.kind: Required value',
      'list[0].apiVersion: Invalid value: "": must not be empty',
      'list[0].kind: Invalid value: "": must not be empty',
    ]);
    expect(problemsOf({ one: { apiVersion: 'a/b/c', kind: 'Pod' } })).toEqual([
      'one.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c',
    ]);
    expect(problemsOf({ one: { apiVersion: 'v1', kind: 'a b' } })[0]).toContain('may have mixed case, but should otherwise match');
  });

  it('validates metadata without requiring a name', () => {
    expect(problemsOf({ map: { k: pod({}) } })).toEqual([]);
    expect(problemsOf({ map: { k: pod({ labels: { 'a b': 'x' } }) } })[0]).toContain('map[k].metadata.labels: Invalid value: "a b"');
  });
});
