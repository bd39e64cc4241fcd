import { describe, expect, test } from 'vitest';
import { quantityFunctions } from '../../src/functions/quantity.ts';
import { semverFunctions } from '../../src/functions/semver.ts';
import { differences, evaluator } from '../replay.ts';

const long = 2 ** 18;
const evaluate = evaluator([semverFunctions]);

describe('semantic versions', () => {
  test('agree with Kubernetes', () => {
    expect(differences('semver', semverFunctions, quantityFunctions)).toEqual({});
  });

  test.each([
    '1'.repeat(long),
    '.'.repeat(long),
    `1.2.${'0'.repeat(long)}`,
    `1.2.3-${'1.'.repeat(long / 2)}1`,
    `1.2.3-${'a'.repeat(long)}`,
    `1.2.3-${`${'1'.repeat(20)}.`.repeat(long / 32)}1`,
    `1.2.3+${'-'.repeat(long)}`,
    `1.2.3+${'a.'.repeat(long / 2)}`,
  ])('are parsed quickly', (text) => {
    evaluate('[isSemver(given), isSemver("v" + given, true), semver(given) == semver(given)]', text);
  });
});
