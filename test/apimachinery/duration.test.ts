import { describe, expect, it } from 'vitest';
import { parseDuration } from '../../src/apimachinery/index.ts';

describe('parseDuration', () => {
  it.each([
    ['1m30s', 90_000],
    ['1.5h', 5_400_000],
    ['.5s', 500],
    ['0', 0],
    ['-1s', -1000],
    ['+2ms', 2],
    ['3us', 0.003],
    ['3µs', 0.003],
    ['5ns', 0.000005],
  ])('reads %s', (text, milliseconds) => expect(parseDuration(text)).toBeCloseTo(milliseconds, 9));

  it.each([
    ['', 'time: invalid duration ""'],
    ['-', 'time: invalid duration "-"'],
    ['.s', 'time: invalid duration ".s"'],
    ['abc', 'time: invalid duration "abc"'],
    ['5', 'time: missing unit in duration "5"'],
    ['1s5', 'time: missing unit in duration "1s5"'],
    ['1d', 'time: unknown unit "d" in duration "1d"'],
    ['9999999h', 'time: invalid duration "9999999h"'],
  ])('refuses %j', (text, message) => expect(() => parseDuration(text)).toThrow(new RangeError(message)));
});
