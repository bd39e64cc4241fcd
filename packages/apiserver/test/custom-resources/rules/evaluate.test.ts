import { describe, expect, test } from 'vitest';
import { fc } from '../../../../../test/support/property.ts';
import { compileRules, evaluateRules, type Rules } from '../../../src/custom-resources/rules/index.ts';
import type { Schema } from '../../../src/custom-resources/schema/schema.ts';
import { ruleCases } from './cases.ts';

const rulesOf = (schema: Schema): Rules => compileRules(schema) as Rules;
const lists = (rule: string): Schema => ({
  type: 'object',
  properties: {
    lists: {
      type: 'array',
      items: { type: 'array', items: { type: 'integer' }, 'x-kubernetes-validations': [{ rule }, { rule: 'self.size() >= 0' }] },
    },
  },
});
const long = (length: number): readonly number[] => Array.from({ length }, (_, i) => i);
const squared = 'self.all(x, self.all(y, x + y >= 0))';

describe('expensive rules', () => {
  test('stop at the cost limit of a rule, and skip all further rules', () => {
    const { causes } = evaluateRules(rulesOf(lists(squared)), { lists: [long(3), long(3000), long(3)] }, undefined);
    const why = "'operation cancelled: actual cost limit exceeded': no further validation rules will be run due to call cost exceeds limit";
    expect(causes).toEqual([
      { reason: 'FieldValueInvalid', field: 'lists[1]', message: `Invalid value: "array": ${why} for rule: ${squared}` },
    ]);
  });

  test('stop at the total cost budget', () => {
    const { causes } = evaluateRules(rulesOf(lists(squared)), { lists: Array.from({ length: 40 }, () => long(250)) }, undefined);
    const why = 'validation failed due to running out of cost budget, no further validation rules will be run';
    expect(causes).toHaveLength(1);
    expect(causes[0]?.message).toBe(`Invalid value: "array": ${why}`);
  });
});

test('rules have a deterministic result for any object', () => {
  const schemas = ruleCases.map(({ schema }) => compileRules(schema)).filter((rules) => rules !== undefined);
  const specs = ruleCases.flatMap(({ objects }) => objects.map(({ object }) => object));
  const object = fc.oneof(fc.constantFrom(...specs), fc.record({ spec: fc.jsonValue() }), fc.jsonValue());
  const given = fc.property(fc.constantFrom(...schemas), object, object, (rules, now, old) => {
    const { causes, warnings } = evaluateRules(rules, now, old);
    for (const { field, message } of causes) expect([field, message].every((text) => text !== '')).toBe(true);
    expect(evaluateRules(rules, now, old)).toMatchObject({ causes, warnings });
  });
  fc.assert(given, { numRuns: 300 });
});
