import { describe, expect, it, vi } from 'vitest';
import { fc } from '../../../../../test/support/property.ts';
import type { Schema } from '../../../src/custom-resources/schema/schema.ts';
import { compileSchema } from '../../../src/custom-resources/validation/compiled.ts';
import { createValidator } from '../../../src/custom-resources/validation/validator.ts';

/** @param compileAfter number of validations before the validator is compiled */
const messagesOf = (schema: Schema, value: unknown, compileAfter = Number.POSITIVE_INFINITY): string[] =>
  createValidator(schema, { compileAfter, compile: compileSchema })
    .validate(value)
    .map(({ field, message }) => `${field}: ${message}`);

describe('createValidator', () => {
  it.each<[Schema, unknown, string[]]>([
    [{ type: 'string' }, 5, ['<nil>: Invalid value: "integer":  in body must be of type string: "integer"']],
    [{ type: 'object', required: ['a'] }, {}, ['a: Required value']],
    [{ enum: ['a', 1] }, 'b', ['<nil>: Unsupported value: "b": supported values: "a", "1"']],
    [{ properties: { a: { pattern: '^x' } } }, { a: 'y' }, ['a: Invalid value: "y": a in body should match \'^x\'']],
    [{ properties: { a: { maxLength: 1 } } }, { a: 'ää' }, ['a: Too long: may not be more than 1 byte']],
    [{ maxItems: 1 }, [1, 2], ['<nil>: Too many: 2: must have at most 1 item']],
    [{ properties: { a: {} }, additionalProperties: false }, { b: 1 }, ['<nil>: Invalid value: "b": .b in body is a forbidden property']],
    [{ minProperties: 1 }, {}, ['<nil>: Invalid value: 0:  in body should have at least 1 properties']],
    [{ 'x-kubernetes-int-or-string': true }, true, ['<nil>: Invalid value: "boolean":  in body must be of type integer,string: "boolean"']],
    [{ type: 'string', nullable: true }, null, []],
    [{ type: 'string' }, null, ['<nil>: Invalid value: "null":  in body must be of type string: "null"']],
    [{ not: { type: 'string' } }, 'x', ['<nil>: Invalid value: "": "" must not validate the schema (not)']],
  ])('validates %j with the value %j', (schema, value, messages) => {
    expect(messagesOf(schema, value)).toEqual(messages);
    expect(messagesOf(schema, value, 0)).toEqual(messages);
  });

  it('reports the errors of the best matching alternative', () => {
    const schema: Schema = { anyOf: [{ type: 'integer' }, { type: 'object', required: ['a'], properties: { b: { type: 'string' } } }] };
    expect(messagesOf(schema, { b: 'x' })).toEqual([
      '<nil>: Invalid value: "": "" must validate at least one schema (anyOf)',
      'a: Required value',
    ]);
  });

  it('accepts invalid values that an update does not change', () => {
    const schema: Schema = { type: 'object', properties: { a: { type: 'integer', maximum: 5 }, b: { type: 'integer', maximum: 5 } } };
    for (const compileAfter of [0, 10]) {
      const validator = createValidator(schema, { compileAfter, compile: compileSchema });
      const correlation = { value: { a: 9, b: 8 }, old: { a: 9, b: 7 }, schema };
      expect(validator.validate({ a: 9, b: 8 }, '', correlation).map(({ field }) => field)).toEqual(['b']);
      expect(validator.validate({ a: 9 }, '', { value: { a: 9 }, old: { a: 9 }, schema })).toEqual([]);
    }
  });

  it('treats names such as __proto__ as data', () => {
    const schema = JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}},"required":["__proto__"]}') as Schema;
    for (const compileAfter of [0, 10]) {
      expect(messagesOf(schema, {}, compileAfter)).toEqual(['__proto__: Required value']);
      expect(messagesOf(schema, JSON.parse('{"__proto__":"x"}'), compileAfter)).toEqual([]);
      expect(messagesOf({ type: 'object', required: ['toString'] }, {}, compileAfter)).toEqual(['toString: Required value']);
    }
  });

  it('reports very many errors of one value', () => {
    const list = Array.from({ length: 50_000 }, (_, i) => `x${i}`);
    expect(messagesOf({ type: 'array', items: { type: 'integer' } }, list)).toHaveLength(50_000);
  });
});

const leafSchema: fc.Arbitrary<Schema> = fc.oneof(
  fc.record<Schema>(
    { type: fc.constantFrom('string', 'integer', 'number', 'boolean', 'object', 'array'), nullable: fc.boolean() },
    { requiredKeys: [] },
  ),
  fc.record<Schema>(
    { type: fc.constant('string'), minLength: fc.nat(3), maxLength: fc.nat(3), pattern: fc.constantFrom('^a', 'b$', '[0-9]+', '(?i)A') },
    { requiredKeys: ['type'] },
  ),
  fc.record<Schema>(
    {
      type: fc.constantFrom('integer', 'number'),
      minimum: fc.constantFrom(0, 1, -1, 1.5),
      maximum: fc.constantFrom(2, 3, 2.5, 2 ** 40),
      exclusiveMinimum: fc.boolean(),
      exclusiveMaximum: fc.boolean(),
      multipleOf: fc.constantFrom(1, 2, 0.5),
      format: fc.constantFrom('int32', 'int64', 'float', 'double'),
    },
    { requiredKeys: [] },
  ),
  fc.record<Schema>({ type: fc.constant('string'), format: fc.constantFrom('ipv4', 'date', 'byte', 'nonsense', 'int32') }),
  fc.record<Schema>({ enum: fc.array(fc.constantFrom<unknown>('a', 1, null, true, 1.5, [], { a: 1 }), { maxLength: 3 }) }),
  fc.constant<Schema>({ 'x-kubernetes-int-or-string': true }),
);

const { schema: anySchema } = fc.letrec<{ schema: Schema }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    leafSchema,
    fc.record<Schema>(
      {
        type: fc.constant('object'),
        properties: fc.dictionary(fc.constantFrom('a', 'b', '__proto__'), tie('schema'), { maxKeys: 2 }),
        required: fc.subarray(['a', 'b', 'toString']),
        additionalProperties: fc.oneof(tie('schema'), fc.boolean()),
        minProperties: fc.nat(2),
        maxProperties: fc.nat(3),
        nullable: fc.boolean(),
      },
      { requiredKeys: [] },
    ),
    fc.record<Schema>({ type: fc.constant('array'), items: tie('schema'), minItems: fc.nat(2), maxItems: fc.nat(3) }, { requiredKeys: [] }),
    fc.record<Schema>(
      {
        anyOf: fc.array(tie('schema'), { maxLength: 2 }),
        oneOf: fc.array(tie('schema'), { maxLength: 3 }),
        allOf: fc.array(tie('schema'), { maxLength: 2 }),
        not: tie('schema'),
      },
      { requiredKeys: [] },
    ),
  ),
}));

const { value: anyValue } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<unknown>(
      null,
      true,
      0,
      1,
      -1,
      1.5,
      2,
      3,
      2 ** 31,
      1e300,
      '',
      'a',
      'ab',
      'ba',
      '12',
      '10.0.0.1',
      'aGk=',
      '2024-01-01',
      'ä',
    ),
    fc.dictionary(fc.constantFrom('a', 'b', 'c', '__proto__'), tie('value'), { maxKeys: 3, noNullPrototype: true }),
    fc.array(tie('value'), { maxLength: 3 }),
  ),
}));

describe('a compiled validator', () => {
  it('is used after its compiler is loaded and has the same results', async () => {
    let readCount = 0;
    const schema: Schema = { type: 'string', maxLength: 3 };
    const countedSchema = new Proxy(schema, {
      get(target, name) {
        readCount += 1;
        return target[name as keyof Schema];
      },
    });
    const validator = createValidator(countedSchema, { compileAfter: 1 });
    const countCauses = (): number[] => ['abc', 'abcd'].map((value) => validator.validate(value).length);
    expect(countCauses()).toEqual([0, 1]);
    await vi.waitFor(() => {
      readCount = 0;
      expect(validator.validate('abc')).toEqual([]);
      expect(readCount).toBe(0);
    });
    expect(countCauses()).toEqual([0, 1]);
  });

  it('has the same results as the uncompiled validator', () => {
    fc.assert(
      fc.property(anySchema, fc.array(anyValue, { minLength: 1, maxLength: 8 }), (schema, values) => {
        const [compiled, uncompiled] = [createValidator(schema, { compileAfter: 0, compile: compileSchema }), createValidator(schema)];
        for (const value of values) expect(compiled.validate(value)).toEqual(uncompiled.validate(value));
      }),
      { numRuns: 400 },
    );
  });
});
