import { describe, expect, it } from 'vitest';
import { validateDefaults } from '../../../../src/custom-resources/definition/validate/defaults.ts';
import type { Schema } from '../../../../src/custom-resources/schema/schema.ts';
import { problemLinesOf } from '../../support.ts';

const problemsOf = (schema: Schema): string[] =>
  problemLinesOf((causes) => validateDefaults({ type: 'object', properties: { a: schema } }, 's', causes));

describe('validateDefaults', () => {
  it.each<[Schema, string[]]>([
    [{ type: 'string', default: 'x' }, []],
    [{ type: 'integer', default: 'x' }, ['s.properties[a].default: Invalid value: "string":  in body must be of type integer: "string"']],
    [{ type: 'object', default: { b: 1 } }, ['s.properties[a].default: Invalid value: {"b":1}: must not have unknown fields']],
    [
      { type: 'array', items: { type: 'string', enum: ['y'], default: 'x' } },
      ['s.properties[a].items.default: Unsupported value: "x": supported values: "y"'],
    ],
  ])('validates the defaults of %j', (schema, problems) => {
    expect(problemsOf(schema)).toEqual(problems);
  });

  it('requires valid metadata in defaults of embedded objects', () => {
    const schema: Schema = {
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      properties: { metadata: { type: 'object', properties: { name: { type: 'string', default: 'a/b' } } } },
    };
    expect(problemsOf(schema)).toEqual([
      's.properties[a].properties[metadata].properties[name].default: Invalid value: "a/b": must result in valid metadata: metadata.name: Invalid value: "a/b": may not contain \'/\'',
    ]);
  });
});
