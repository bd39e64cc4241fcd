import { describe, expect, test } from 'vitest';
import { quantityFunctions } from '../../src/functions/quantity.ts';
import { semverFunctions } from '../../src/functions/semver.ts';
import { createEvaluator, findDifferences } from '../replay.ts';

const longLength = 2 ** 18;
const evaluate = createEvaluator([semverFunctions]);

describe('semantic versions', () => {
  test('agree with Kubernetes', () => {
    expect(findDifferences('semver', semverFunctions, quantityFunctions)).toEqual({});
  });

  test.each([
    '1'.repeat(longLength),
    '.'.repeat(longLength),
    `1.2.${'0'.repeat(longLength)}`,
    `1.2.3-${'1.'.repeat(longLength / 2)}1`,
    `1.2.3-${'a'.repeat(longLength)}`,
    `1.2.3-${`${'1'.repeat(20)}.`.repeat(longLength / 32)}1`,
    `1.2.3+${'-'.repeat(longLength)}`,
    `1.2.3+${'a.'.repeat(longLength / 2)}`,
  ])('are parsed quickly: long text %#', (text) => {
    evaluate('[isSemver(given), isSemver("v" + given, true), semver(given) == semver(given)]', text);
  });
});
