import { expect, test } from 'vitest';
import {
  isCIDR,
  isIPv6CIDR,
  validateEndpointIP,
  validateLegacyCIDR,
  validateLegacyIP,
  validateStrictIP,
  warningsOfIP,
} from '../../../src/resources/field/addresses.ts';
import { reportedCauses } from '../support.ts';

const detail = (lines: readonly string[]): string | undefined => lines[0]?.split('": ')[1];

test.each([
  ['10.0.0.1', undefined],
  ['FD00::1', undefined],
  ['x', 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'],
  ['010.0.0.1', 'must not have leading 0s'],
  ['::ffff:1.2.3.4', 'must not be an IPv4-mapped IPv6 address'],
])('validateLegacyIP checks %s', (ip, problem) =>
  expect(detail(reportedCauses((causes) => validateLegacyIP(ip, 'f', causes)))).toBe(problem),
);

test('validateLegacyIP and validateLegacyCIDR accept values of the old object', () => {
  expect(reportedCauses((causes) => validateLegacyIP('010.0.0.1', 'f', causes, ['010.0.0.1']))).toEqual([]);
  expect(reportedCauses((causes) => validateLegacyCIDR('x', 'f', causes, ['x']))).toEqual([]);
});

test('validateStrictIP requires the canonical form', () => {
  expect(reportedCauses((causes) => validateStrictIP('FD00::1', 'f', causes))).toEqual([
    'FieldValueInvalid f: Invalid value: "FD00::1": must be in canonical form ("fd00::1")',
  ]);
});

test.each(['0.0.0.0', '::', '127.0.0.1', '::1', '169.254.0.1', 'fe80::1', '224.0.0.1', 'ff02::1', 'x'])(
  'validateEndpointIP refuses %s',
  (ip) => {
    expect(reportedCauses((causes) => validateEndpointIP(ip, 'f', causes))).toHaveLength(1);
  },
);

test.each([
  ['10.0.0.0/8', undefined],
  ['fd00::/8', undefined],
  ['0.0.0.0/0', undefined],
  ['10.0.0.0', 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)'],
  ['10.0.0.0/33', 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)'],
  ['10.0.0.0/08', 'must not have leading 0s in IP or prefix length'],
  ['::ffff:10.0.0.0/104', 'must not have an IPv4-mapped IPv6 address'],
  ['10.0.0.1/8', 'must not have bits set beyond the prefix length'],
  ['fd00::1/64', 'must not have bits set beyond the prefix length'],
])('validateLegacyCIDR checks %s', (range, problem) =>
  expect(detail(reportedCauses((causes) => validateLegacyCIDR(range, 'f', causes)))).toBe(problem),
);

test('isCIDR and isIPv6CIDR classify values', () => {
  expect([isCIDR('10.0.0.1/8'), isCIDR('x/8'), isIPv6CIDR('fd00::/8'), isIPv6CIDR('10.0.0.0/8')]).toEqual([true, false, true, false]);
});

test.each([
  ['10.0.0.1', []],
  ['fd00::1', []],
  ['x', []],
  ['010.0.0.1', ['f: non-standard IP address "010.0.0.1" is invalid: use "10.0.0.1"']],
  ['::ffff:1.2.3.4', ['f: non-standard IP address "::ffff:1.2.3.4" is invalid: use "1.2.3.4"']],
  ['FD00::1', ['f: IPv6 address "FD00::1" should be in RFC 5952 canonical format ("fd00::1")']],
])('warningsOfIP checks %s', (ip, warnings) => expect(warningsOfIP('f', ip)).toEqual(warnings));
