import { describe, expect, test } from 'vitest';
import { ipFunctions } from '../../src/functions/ip.ts';
import { createEvaluator, findDifferences } from '../replay.ts';

const longLength = 2 ** 20;
const evaluate = createEvaluator([ipFunctions]);

describe('IP addresses and CIDRs', () => {
  test('agree with Kubernetes, except for type names and the bare namespace name', () => {
    expect(Object.keys(findDifferences('ip', ipFunctions))).toEqual(['ip', 'type(ip("::1")) == net.IP', 'type(cidr("::1/8")) == net.CIDR']);
  });

  test.each([
    '.'.repeat(longLength),
    ':'.repeat(longLength),
    '1'.repeat(longLength),
    `1.${'1'.repeat(longLength)}`,
    `::%${'a'.repeat(longLength)}`,
    `1:${'0'.repeat(longLength)}`,
  ])('are parsed in linear time: long text %#', (text) => {
    for (const each of [text, `${text}/1`, `::/${text}`]) evaluate('isIP(given) || isCIDR(given) || string(ip(given)) == ""', each);
  });
});
