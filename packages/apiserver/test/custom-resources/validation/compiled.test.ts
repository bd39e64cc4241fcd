import { describe, expect, it } from 'vitest';
import type { Schema } from '../../../src/custom-resources/schema/schema.ts';
import { toJsonSchema } from '../../../src/custom-resources/validation/compiled.ts';

describe('toJsonSchema', () => {
  it('translates a schema to JSON Schema', () => {
    const schema: Schema = {
      type: 'object',
      required: ['a', 'a'],
      properties: { a: { type: 'integer', minimum: 1, maximum: 3, exclusiveMaximum: true }, b: { type: 'string', format: 'date-time' } },
    };
    expect(toJsonSchema(schema)).toEqual({
      type: ['object'],
      required: ['a'],
      properties: {
        a: { type: ['integer'], allOf: [{ minimum: -(2 ** 63), exclusiveMaximum: 2 ** 63 }, { minimum: 1 }, { exclusiveMaximum: 3 }] },
        b: { type: ['string'], format: 'datetime' },
      },
    });
  });

  it('translates a nullable schema to an alternative that accepts null', () => {
    expect(toJsonSchema({ type: 'string', nullable: true, minLength: 1 })).toMatchObject({
      anyOf: [{ type: 'null' }, { type: ['string'] }],
    });
    expect(toJsonSchema({ enum: ['a'] })).toEqual({ enum: ['a'] });
  });

  it.each<Schema>([
    { type: 'number', multipleOf: 0.1 },
    { type: 'integer', maximum: 2 ** 63 },
    { type: 'number', maximum: 1.5, exclusiveMaximum: true },
    { not: { type: 'string', format: 'date' } },
    { oneOf: [{ enum: [1.5] }] },
    { type: 'object', properties: { ['__proto__']: {} } },
    { type: 'object', required: ['__proto__'] },
  ])('returns undefined for a schema that it cannot translate exactly: %j', (schema) => {
    expect(toJsonSchema(schema)).toBeUndefined();
  });

  it('returns undefined for very wide or deep schemas', () => {
    const wideSchema: Schema = { properties: Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`p${i}`, {}])) };
    let deepSchema: Schema = {};
    for (let i = 0; i < 61; i += 1) deepSchema = { items: deepSchema };
    expect([toJsonSchema(wideSchema), toJsonSchema(deepSchema)]).toEqual([undefined, undefined]);
  });
});
