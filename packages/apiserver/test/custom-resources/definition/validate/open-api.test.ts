import { describe, expect, it } from 'vitest';
import { validateOpenApi } from '../../../../src/custom-resources/definition/validate/open-api.ts';
import type { Schema } from '../../../../src/custom-resources/schema/schema.ts';
import { linesOf } from '../../support.ts';

const lines = (schema: Schema): string[] =>
  linesOf((causes) => validateOpenApi({ type: 'object', properties: { a: schema } }, 's', causes));
const at = 's.properties[a]';

describe('validateOpenApi', () => {
  it.each<[Schema, string[]]>([
    [
      { type: 'odd' },
      [`${at}.type: Unsupported value: "odd": supported values: "array", "boolean", "integer", "number", "object", "string"`],
    ],
    [
      { type: 'array', uniqueItems: true },
      [`${at}.uniqueItems: Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes quadratic`],
    ],
    [{ $ref: 'x' }, [`${at}.$ref: Forbidden: $ref is not supported`]],
    [
      { properties: {}, additionalProperties: { type: 'string' } },
      [`${at}.additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive`],
    ],
    [
      { 'x-kubernetes-preserve-unknown-fields': false },
      [`${at}.x-kubernetes-preserve-unknown-fields: Invalid value: false: must be true or undefined`],
    ],
    [
      { type: 'string', 'x-kubernetes-list-type': 'set' },
      [`${at}.type: Invalid value: "string": must be array if x-kubernetes-list-type is specified`],
    ],
    [
      { type: 'object', 'x-kubernetes-map-type': 'odd' },
      [`${at}.x-kubernetes-map-type: Unsupported value: "odd": supported values: "atomic", "granular"`],
    ],
    [
      { type: 'array', items: { type: 'object', properties: {} }, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'] },
      [`${at}.x-kubernetes-list-map-keys: Invalid value: ["k"]: entries must all be names of item properties`],
    ],
    [
      { type: 'object', 'x-kubernetes-validations': [{ rule: ' ' }] },
      [`${at}.x-kubernetes-validations[0].rule: Required value: rule is not specified`],
    ],
    [
      { type: 'object', 'x-kubernetes-validations': [{ rule: 'a\nb' }] },
      [`${at}.x-kubernetes-validations[0].message: Required value: message must be specified if rule contains line breaks`],
    ],
    [
      { type: 'object', 'x-kubernetes-validations': [{ rule: 'a', fieldPath: '.x' }] },
      [`${at}.x-kubernetes-validations[0].fieldPath: Invalid value: ".x": must be a valid path`],
    ],
  ])('validates the schema %j', (schema, found) => {
    expect(lines(schema)).toEqual(found);
  });

  it('forbids defaults in top-level metadata', () => {
    const schema: Schema = { properties: { metadata: { type: 'object', properties: { name: { type: 'string', default: 'x' } } } } };
    expect(linesOf((causes) => validateOpenApi(schema, 's', causes))).toEqual([
      's.properties[metadata].properties[name].default: Forbidden: must not be set in top-level metadata',
    ]);
  });
});
