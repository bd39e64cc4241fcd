import { describe, expect, test } from 'vitest';
import { fc } from '../../../../../test/support/property.ts';
import { compileRules, evaluateRules, type Rules } from '../../../src/custom-resources/rules/index.ts';
import type { Schema } from '../../../src/custom-resources/schema/schema.ts';
import { ruleCases } from './cases.ts';

const compile = (schema: Schema): Rules => compileRules(schema) as Rules;
const listSchema = (rule: string): Schema => ({
  type: 'object',
  properties: {
    lists: {
      type: 'array',
      items: { type: 'array', items: { type: 'integer' }, 'x-kubernetes-validations': [{ rule }, { rule: 'self.size() >= 0' }] },
    },
  },
});
const createList = (length: number): readonly number[] => Array.from({ length }, (_, i) => i);
const quadraticRule = 'self.all(x, self.all(y, x + y >= 0))';

describe('expensive rules', () => {
  test('stop at the cost limit of one rule and skip all further rules', () => {
    const { causes } = evaluateRules(
      compile(listSchema(quadraticRule)),
      { lists: [createList(3), createList(3000), createList(3)] },
      undefined,
    );
    const detail =
      "'operation cancelled: actual cost limit exceeded': no further validation rules will be run due to call cost exceeds limit";
    expect(causes).toEqual([
      { reason: 'FieldValueInvalid', field: 'lists[1]', message: `Invalid value: "array": ${detail} for rule: ${quadraticRule}` },
    ]);
  });

  test('stop at the cost limit of all rules for an object', () => {
    const { causes } = evaluateRules(
      compile(listSchema(quadraticRule)),
      { lists: Array.from({ length: 40 }, () => createList(250)) },
      undefined,
    );
    const detail = 'validation failed due to running out of cost budget, no further validation rules will be run';
    expect(causes).toHaveLength(1);
    expect(causes[0]?.message).toBe(`Invalid value: "array": ${detail}`);
  });
});

test('rules have a deterministic result for any object', () => {
  const schemas = ruleCases.map(({ schema }) => compileRules(schema)).filter((rules) => rules !== undefined);
  const specs = ruleCases.flatMap(({ objects }) => objects.map(({ object }) => object));
  const anyObject = fc.oneof(fc.constantFrom(...specs), fc.record({ spec: fc.jsonValue() }), fc.jsonValue());
  const property = fc.property(fc.constantFrom(...schemas), anyObject, anyObject, (rules, newObject, oldObject) => {
    const { causes, warnings } = evaluateRules(rules, newObject, oldObject);
    for (const { field, message } of causes) expect([field, message].every((text) => text !== '')).toBe(true);
    expect(evaluateRules(rules, newObject, oldObject)).toMatchObject({ causes, warnings });
  });
  fc.assert(property, { numRuns: 300 });
});
