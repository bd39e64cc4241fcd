import { describe, expect, it } from 'vitest';
import type { Schema } from '../../../src/custom-resources/schema/schema.ts';
import { checkNumber, isNearlyWhole } from '../../../src/custom-resources/validation/numbers.ts';

function messagesOf(schema: Schema, value: number, type = 'number', format = ''): string[] {
  const messages: string[] = [];
  checkNumber(schema, [type], format, value, 'n', ({ message }) => messages.push(message));
  return messages;
}

describe('checkNumber', () => {
  it('truncates bounds for integer values', () => {
    expect(messagesOf({ maximum: 2.5 }, 2.2)).toEqual([]);
    expect(messagesOf({ maximum: 2.5 }, 3)).toEqual(['n in body should be less than or equal to 2']);
    expect(messagesOf({ minimum: 2.5 }, 2)).toEqual([]);
    expect(messagesOf({ minimum: 2.5 }, 2.4)).toEqual(['n in body should be greater than or equal to 2.5']);
  });

  it('supports exclusive bounds', () => {
    expect(messagesOf({ maximum: 2, exclusiveMaximum: true }, 2)).toEqual(['n in body should be less than 2']);
    expect(messagesOf({ minimum: 2, exclusiveMinimum: true }, 2)).toEqual(['n in body should be greater than 2']);
  });

  it('reports numbers that are out of range for their format', () => {
    expect(messagesOf({}, 2 ** 31, 'integer', 'int32')).toEqual(['Checked value must be of type integer with format int32 in n']);
    expect(messagesOf({}, 2 ** 63, 'integer')).toEqual(['Checked value must be of type integer (default format) in n']);
    expect(messagesOf({}, 3.5e38, 'number', 'float')).toEqual(['Checked value must be of type number with format float in n']);
    expect(messagesOf({ maximum: 1.5 }, 1, 'integer')).toEqual(['Maximum boundary value must be of type integer (default format) in n']);
  });

  it('reports numbers that are not a multiple of multipleOf', () => {
    expect(messagesOf({ multipleOf: 5 }, 10)).toEqual([]);
    expect(messagesOf({ multipleOf: 5 }, 11)).toEqual(['n in body should be a multiple of 5']);
    expect(messagesOf({ multipleOf: 0.1 }, 0.3)).toEqual([]);
    expect(messagesOf({ multipleOf: 0.5 }, 3)).toEqual(['factor MultipleOf declared for n must be positive: 0']);
    expect(messagesOf({ multipleOf: -1 }, 3)).toEqual(['factor MultipleOf declared for n must be positive: -1']);
  });
});

describe('isNearlyWhole', () => {
  it.each([
    [3, true],
    // As upstream, the distance is measured from the truncated number.
    [2.9999999999999996, false],
    [3.0000000000000004, true],
    [0.0000000001, false],
    [2 ** 60, false],
    [Number.POSITIVE_INFINITY, false],
  ])('isNearlyWhole(%d) is %s', (value, expected) => {
    expect(isNearlyWhole(value)).toBe(expected);
  });
});
