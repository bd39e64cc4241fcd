import { describe, expect, it } from 'vitest';
import {
  findField,
  validateColumns,
  validateScale,
  validateSelectableFields,
} from '../../../../src/custom-resources/definition/validate/json-paths.ts';
import type { Schema } from '../../../../src/custom-resources/schema/schema.ts';
import { problemLinesOf } from '../../support.ts';

describe('validateColumns', () => {
  it('requires a name, a valid type and a path for each column', () => {
    expect(problemLinesOf((causes) => validateColumns([{}], 'c', causes))).toEqual([
      'c[0].name: Required value',
      'c[0].type: Required value: must be one of boolean,date,integer,number,string',
      'c[0].JSONPath: Required value',
    ]);
    expect(problemLinesOf((causes) => validateColumns([{ name: 'A', type: 'odd', format: 'odd', jsonPath: 'a' }], 'c', causes))).toEqual([
      'c[0].type: Invalid value: "odd": must be one of boolean,date,integer,number,string',
      'c[0].format: Invalid value: "odd": must be one of byte,date,date-time,double,float,int32,int64,password',
      'c[0].JSONPath: Invalid value: "a": must be a simple json path starting with .',
    ]);
    expect(problemLinesOf((causes) => validateColumns([{ name: 'A', type: 'date', jsonPath: '.a' }], 'c', causes))).toEqual([]);
  });
});

describe('validateScale', () => {
  it('requires paths under spec and status', () => {
    expect(
      problemLinesOf((causes) => validateScale({ scale: { statusReplicasPath: '.spec.n', labelSelectorPath: '.x' } }, 's', causes)),
    ).toEqual([
      's.scale.specReplicasPath: Required value',
      's.scale.statusReplicasPath: Invalid value: ".spec.n": should be a json path under .status',
      's.scale.labelSelectorPath: Invalid value: ".x": should be a json path under either .spec or .status',
    ]);
    expect(problemLinesOf((causes) => validateScale(undefined, 's', causes))).toEqual([]);
  });
});

describe('validateSelectableFields', () => {
  const schema: Schema = {
    type: 'object',
    properties: {
      metadata: { type: 'object', properties: { name: { type: 'string' } } },
      spec: { type: 'object', properties: { a: { type: 'string' }, o: { type: 'object' }, ...createManyFields() } },
    },
  };
  function createManyFields(): Record<string, Schema> {
    return Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`n${i}`, { type: 'integer' }]));
  }
  const problemsOf = (paths: readonly string[], { skipLimit = false } = {}): string[] =>
    problemLinesOf((causes) =>
      validateSelectableFields(
        paths.map((jsonPath) => ({ jsonPath })),
        schema,
        'f',
        skipLimit,
        causes,
      ),
    );

  it('requires declared fields of a scalar type, without duplicates', () => {
    expect(problemsOf(['.spec.a', '.spec.a', '', '.spec.x', '.metadata.name', '.spec.o', ".spec['a']", 'spec.a'])).toEqual([
      'f[1].jsonPath: Duplicate value: ".spec.a"',
      'f[2].jsonPath: Required value',
      'f[3].jsonPath: Invalid value: ".spec.x": is an invalid path: does not refer to a valid field',
      'f[4].jsonPath: Invalid value: ".metadata.name": must not point to fields in metadata',
      'f[5].jsonPath: Invalid value: ".spec.o": must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.',
      'f[6].jsonPath: Invalid value: ".spec[\'a\']": is an invalid path: array notation is not allowed',
      'f[7].jsonPath: Invalid value: "spec.a": is an invalid path: expected [ or . but got: spec',
    ]);
  });

  it('allows more than eight fields only if skipLimit is set', () => {
    const paths = Object.keys(createManyFields()).map((name) => `.spec.${name}`);
    expect(problemsOf(paths.slice(0, 8))).toEqual([]);
    expect(problemsOf(paths)).toEqual(['f: Too many: 9: must have at most 8 items']);
    expect(problemsOf(paths, { skipLimit: true })).toEqual([]);
  });
});

const leaf: Schema = { type: 'string' };
const schema: Schema = { properties: { a: { properties: { 'b.c': leaf, d: leaf } }, map: { additionalProperties: leaf } } };

describe('findField', () => {
  it('follows fields and quoted keys in brackets', () => {
    expect(findField('.a.d', schema, true)).toEqual({ steps: ['a', 'd'], schema: leaf });
    expect(findField(".a['b.c']", schema, true)).toEqual({ steps: ['a', 'b.c'], schema: leaf });
    expect(findField('.map.any', schema, true)).toEqual({ steps: ['map', 'any'], schema: leaf });
  });

  it.each([
    ['a', 'expected [ or . but got: a'],
    ['.x', 'does not refer to a valid field'],
    ['.a.d.e', 'does not refer to a valid field'],
    ['.a[', 'unexpected end of JSON path'],
    ['.a[0]', 'expected single quoted string but got 0'],
    [".a['d'", 'unexpected end of JSON path'],
    [".a['d'.", 'expected ] but got .'],
  ])('refuses the path %s', (path, problem) => {
    expect(findField(path, schema, true)).toEqual({ problem });
  });
});
