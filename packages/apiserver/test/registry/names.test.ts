import { describe, expect, it } from 'vitest';
import { attempts, generateName } from '../../src/registry/names.ts';
import { randomnessFrom } from '../../src/registry/randomness.ts';

describe('generateName', () => {
  it('puts five characters of the alphabet behind the base', () => {
    expect(
      generateName(
        'web-',
        randomnessFrom(() => 0),
      ),
    ).toBe('web-bbbbb');
    expect(
      generateName(
        'web-',
        randomnessFrom((bound) => bound - 1),
      ),
    ).toBe('web-99999');
  });

  it('cuts the base so that the name has 63 characters', () => {
    expect(
      generateName(
        'x'.repeat(70),
        randomnessFrom(() => 1),
      ),
    ).toBe(`${'x'.repeat(58)}ccccc`);
  });

  it('is tried eight times', () => {
    expect(attempts).toBe(8);
  });
});
