import { describe, expect, it } from 'vitest';
import { structuralProblem, validateStructural } from '../../../../src/custom-resources/definition/validate/structural.ts';
import type { Schema } from '../../../../src/custom-resources/schema/schema.ts';

const object = (properties: Record<string, Schema>, fields: Schema = {}): Schema => ({ type: 'object', properties, ...fields });
const problemsOf = (schema: Schema): string[] => validateStructural(schema, 's').map(({ field, message }) => `${field}: ${message}`);

describe('validateStructural', () => {
  it.each<[Schema, string[]]>([
    [object({ a: { type: 'string' } }), []],
    [object({ a: {} }), ['s.properties[a].type: Required value: must not be empty for specified object fields']],
    [object({ a: { type: 'array' } }), ['s.properties[a].items: Required value: must be specified']],
    [
      object({ a: { type: 'array', items: {} } }),
      ['s.properties[a].items.type: Required value: must not be empty for specified array items'],
    ],
    [{ type: 'array', items: { type: 'string' } }, ['s.type: Invalid value: "array": must be object at the root']],
    [{ type: 'object', additionalProperties: true }, ['s.additionalProperties: Forbidden: must not be used at the root']],
    [object({ kind: { type: 'integer' } }), ['s.properties[kind].type: Invalid value: "integer": must be string']],
    [
      object({ metadata: { type: 'object', properties: { labels: { type: 'object' } } } }),
      [
        's.properties[metadata]: Forbidden: must not specify anything other than name and generateName, but metadata is implicitly specified',
      ],
    ],
    [object({ metadata: { type: 'object', properties: { name: { type: 'string', maxLength: 5 } } } }), []],
    [object({ a: { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] } }), []],
    [
      object({ a: { type: 'string', anyOf: [{ type: 'string' }] } }),
      ['s.properties[a].anyOf[0].type: Forbidden: must be empty to be structural'],
    ],
    [
      object({ a: { type: 'object', 'x-kubernetes-embedded-resource': true } }),
      [
        's.properties[a].properties: Required value: must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields',
      ],
    ],
    [
      object({ a: { 'x-kubernetes-int-or-string': true, 'x-kubernetes-preserve-unknown-fields': true } }),
      ['s.properties[a].x-kubernetes-preserve-unknown-fields: Invalid value: true: must be false if x-kubernetes-int-or-string is true'],
    ],
    [
      object({}, { oneOf: [{ properties: { a: { minimum: 1 } } }] }),
      ['s.properties[a]: Required value: because it is defined in s.oneOf[0].properties[a]'],
    ],
    [
      object({ a: { type: 'string', pattern: '(' } }),
      [
        's.properties[a].pattern: Invalid value: "(": must be a valid regular expression, but isn\'t: error parsing regexp: missing closing ): `(`',
      ],
    ],
  ])('validates the schema %j', (schema, problems) => {
    expect(problemsOf(schema)).toEqual(problems);
  });
});

describe('structuralProblem', () => {
  it('reports keywords that structural schemas do not support', () => {
    expect(structuralProblem(object({ a: { items: { $ref: '#/x' } } }))).toBe("OpenAPIV3Schema '$ref' is not supported");
    expect(structuralProblem({ items: [{}] })).toBe("OpenAPIV3Schema 'items' must be a schema, but is an array");
    expect(structuralProblem({ not: { patternProperties: {} } })).toBe("OpenAPIV3Schema 'patternProperties' is not supported");
    expect(structuralProblem(object({ a: { 'x-kubernetes-preserve-unknown-fields': false } }))).toContain('must be true or undefined');
    expect(structuralProblem(object({ a: { type: 'string' } }))).toBeUndefined();
  });
});
