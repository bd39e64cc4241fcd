import { expect, test } from 'vitest';
import { warningsOfIP } from '../../../src/resources/field/ip-warnings.ts';

test.each([
  ['10.0.0.1', []],
  ['fd00::1', []],
  ['x', []],
  ['010.0.0.1', ['f: non-standard IP address "010.0.0.1" is invalid: use "10.0.0.1"']],
  ['::ffff:1.2.3.4', ['f: non-standard IP address "::ffff:1.2.3.4" is invalid: use "1.2.3.4"']],
  ['FD00::1', ['f: IPv6 address "FD00::1" should be in RFC 5952 canonical format ("fd00::1")']],
])('%s', (ip, warnings) => expect(warningsOfIP('f', ip)).toEqual(warnings));
