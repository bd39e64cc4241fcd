import { describe, expect, test } from 'vitest';
import { ipFunctions } from '../../src/functions/ip.ts';
import { differences, evaluator } from '../replay.ts';

const long = 2 ** 20;
const evaluate = evaluator([ipFunctions]);

describe('IP addresses and CIDRs', () => {
  test('agree with Kubernetes, except for type names and the bare namespace name', () => {
    expect(Object.keys(differences('ip', ipFunctions))).toEqual(['ip', 'type(ip("::1")) == net.IP', 'type(cidr("::1/8")) == net.CIDR']);
  });

  test.each([
    '.'.repeat(long),
    ':'.repeat(long),
    '1'.repeat(long),
    `1.${'1'.repeat(long)}`,
    `::%${'a'.repeat(long)}`,
    `1:${'0'.repeat(long)}`,
  ])('are parsed quickly', (text) => {
    for (const each of [text, `${text}/1`, `::/${text}`]) evaluate('isIP(given) || isCIDR(given) || string(ip(given)) == ""', each);
  });
});
