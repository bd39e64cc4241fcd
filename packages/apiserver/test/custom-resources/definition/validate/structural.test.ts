import { describe, expect, it } from 'vitest';
import { findStructuralProblem, validateStructural } from '../../../../src/custom-resources/definition/validate/structural.ts';
import type { Schema } from '../../../../src/custom-resources/schema/schema.ts';

const objectSchema = (properties: Record<string, Schema>, fields: Schema = {}): Schema => ({ type: 'object', properties, ...fields });
const problemsOf = (schema: Schema): string[] => validateStructural(schema, 's').map(({ field, message }) => `${field}: ${message}`);

describe('validateStructural', () => {
  it.each<[Schema, string[]]>([
    [objectSchema({ a: { type: 'string' } }), []],
    [objectSchema({ a: {} }), ['s.properties[a].type: Required value: must not be empty for specified object fields']],
    [objectSchema({ a: { type: 'array' } }), ['s.properties[a].items: Required value: must be specified']],
    [
      objectSchema({ a: { type: 'array', items: {} } }),
      ['s.properties[a].items.type: Required value: must not be empty for specified array items'],
    ],
    [{ type: 'array', items: { type: 'string' } }, ['s.type: Invalid value: "array": must be object at the root']],
    [{ type: 'object', additionalProperties: true }, ['s.additionalProperties: Forbidden: must not be used at the root']],
    [objectSchema({ kind: { type: 'integer' } }), ['s.properties[kind].type: Invalid value: "integer": must be string']],
    [
      objectSchema({ metadata: { type: 'object', properties: { labels: { type: 'object' } } } }),
      [
        's.properties[metadata]: Forbidden: must not specify anything other than name and generateName, but metadata is implicitly specified',
      ],
    ],
    [objectSchema({ metadata: { type: 'object', properties: { name: { type: 'string', maxLength: 5 } } } }), []],
    [objectSchema({ a: { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] } }), []],
    [
      objectSchema({ a: { type: 'string', anyOf: [{ type: 'string' }] } }),
      ['s.properties[a].anyOf[0].type: Forbidden: must be empty to be structural'],
    ],
    [
      objectSchema({ a: { type: 'object', 'x-kubernetes-embedded-resource': true } }),
      [
        's.properties[a].properties: Required value: must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields',
      ],
    ],
    [
      objectSchema({ a: { 'x-kubernetes-int-or-string': true, 'x-kubernetes-preserve-unknown-fields': true } }),
      ['s.properties[a].x-kubernetes-preserve-unknown-fields: Invalid value: true: must be false if x-kubernetes-int-or-string is true'],
    ],
    [
      objectSchema({}, { oneOf: [{ properties: { a: { minimum: 1 } } }] }),
      ['s.properties[a]: Required value: because it is defined in s.oneOf[0].properties[a]'],
    ],
    [
      objectSchema({ a: { type: 'string', pattern: '(' } }),
      [
        's.properties[a].pattern: Invalid value: "(": must be a valid regular expression, but isn\'t: error parsing regexp: missing closing ): `(`',
      ],
    ],
  ])('validates the schema %j', (schema, problems) => {
    expect(problemsOf(schema)).toEqual(problems);
  });
});

describe('findStructuralProblem', () => {
  it('reports keywords that structural schemas do not support', () => {
    expect(findStructuralProblem(objectSchema({ a: { items: { $ref: '#/x' } } }))).toBe("OpenAPIV3Schema '$ref' is not supported");
    expect(findStructuralProblem({ items: [{}] })).toBe("OpenAPIV3Schema 'items' must be a schema, but is an array");
    expect(findStructuralProblem({ not: { patternProperties: {} } })).toBe("OpenAPIV3Schema 'patternProperties' is not supported");
    expect(findStructuralProblem(objectSchema({ a: { 'x-kubernetes-preserve-unknown-fields': false } }))).toContain(
      'must be true or undefined',
    );
    expect(findStructuralProblem(objectSchema({ a: { type: 'string' } }))).toBeUndefined();
  });
});
