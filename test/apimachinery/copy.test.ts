import { describe, expect, it } from 'vitest';
import { plainCopy } from '../../src/apimachinery/index.ts';

describe('plainCopy', () => {
  it('copies class instances as plain objects, without undefined fields', () => {
    class Meta {
      name = 'a';
      absent = undefined;
      none = null;
    }
    const copy = plainCopy({ metadata: new Meta() });
    expect(Object.getPrototypeOf(copy.metadata)).toBe(Object.prototype);
    expect(Object.keys(copy.metadata)).toEqual(['name', 'none']);
  });

  it('copies Dates as Dates', () => {
    const date = new Date(5);
    const copy = plainCopy({ at: [date] });
    expect(copy).toEqual({ at: [new Date(5)] });
    expect(copy.at[0]).not.toBe(date);
  });

  it.each(['text', 5, true, null, undefined])('returns %j unchanged', (value) => {
    expect(plainCopy(value)).toBe(value);
  });

  it('keeps __proto__ as a key', () => {
    const labels = JSON.parse('{"__proto__":"x"}') as Record<string, string>;
    expect(JSON.stringify(plainCopy({ labels }))).toBe('{"labels":{"__proto__":"x"}}');
  });
});
