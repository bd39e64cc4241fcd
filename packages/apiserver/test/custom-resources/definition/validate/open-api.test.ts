import { describe, expect, it } from 'vitest';
import { validateOpenApi } from '../../../../src/custom-resources/definition/validate/open-api.ts';
import type { Schema } from '../../../../src/custom-resources/schema/schema.ts';
import { problemLinesOf } from '../../support.ts';

const problemsOf = (schema: Schema): string[] =>
  problemLinesOf((causes) => validateOpenApi({ type: 'object', properties: { a: schema } }, 's', causes));
const path = 's.properties[a]';

describe('validateOpenApi', () => {
  it.each<[Schema, string[]]>([
    [
      { type: 'odd' },
      [`${path}.type: Unsupported value: "odd": supported values: "array", "boolean", "integer", "number", "object", "string"`],
    ],
    [
      { type: 'array', uniqueItems: true },
      [`${path}.uniqueItems: Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes quadratic`],
    ],
    [{ $ref: 'x' }, [`${path}.$ref: Forbidden: $ref is not supported`]],
    [
      { properties: {}, additionalProperties: { type: 'string' } },
      [`${path}.additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive`],
    ],
    [
      { 'x-kubernetes-preserve-unknown-fields': false },
      [`${path}.x-kubernetes-preserve-unknown-fields: Invalid value: false: must be true or undefined`],
    ],
    [
      { type: 'string', 'x-kubernetes-list-type': 'set' },
      [`${path}.type: Invalid value: "string": must be array if x-kubernetes-list-type is specified`],
    ],
    [
      { type: 'object', 'x-kubernetes-map-type': 'odd' },
      [`${path}.x-kubernetes-map-type: Unsupported value: "odd": supported values: "atomic", "granular"`],
    ],
    [
      { type: 'array', items: { type: 'object', properties: {} }, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'] },
      [`${path}.x-kubernetes-list-map-keys: Invalid value: ["k"]: entries must all be names of item properties`],
    ],
    [
      { type: 'object', 'x-kubernetes-validations': [{ rule: ' ' }] },
      [`${path}.x-kubernetes-validations[0].rule: Required value: rule is not specified`],
    ],
    [
      { type: 'object', 'x-kubernetes-validations': [{ rule: 'a\nb' }] },
      [`${path}.x-kubernetes-validations[0].message: Required value: message must be specified if rule contains line breaks`],
    ],
    [
      { type: 'object', 'x-kubernetes-validations': [{ rule: 'a', fieldPath: '.x' }] },
      [`${path}.x-kubernetes-validations[0].fieldPath: Invalid value: ".x": must be a valid path`],
    ],
  ])('validates the schema %j', (schema, problems) => {
    expect(problemsOf(schema)).toEqual(problems);
  });

  it('forbids defaults in top-level metadata', () => {
    const schema: Schema = { properties: { metadata: { type: 'object', properties: { name: { type: 'string', default: 'x' } } } } };
    expect(problemLinesOf((causes) => validateOpenApi(schema, 's', causes))).toEqual([
      's.properties[metadata].properties[name].default: Forbidden: must not be set in top-level metadata',
    ]);
  });
});
