import { expect, test } from 'vitest';
import {
  bytesOf,
  configMapKey,
  dns1035Label,
  dns1123Label,
  dns1123Subdomain,
  dns1123SubdomainWithUnderscore,
  environmentName,
  httpHeaderName,
  labelValue,
  pathSegment,
  portName,
  portNumber,
  qualifiedName,
  regexMessage,
} from '../../src/formats/names.ts';

const textOfLength = (length: number): string => 'x'.repeat(length);

test.each([
  ['dns1123Label', dns1123Label, 'a-1', ['a.b', 'A', '-a', '', textOfLength(64)]],
  ['dns1123Subdomain', dns1123Subdomain, 'a-1.b', ['a..b', 'A', 'a_b', '', textOfLength(254)]],
  ['dns1123SubdomainWithUnderscore', dns1123SubdomainWithUnderscore, '_a.b_c', ['A', '__a', 'a.']],
  ['dns1035Label', dns1035Label, 'a1', ['1a', 'a.b', 'a-', textOfLength(64)]],
  ['qualifiedName', qualifiedName, 'Example/a_b'.toLowerCase(), ['a/b/c', '/a', 'a/', 'A/b', 'a b']],
  ['labelValue', labelValue, '', ['a b', '-a', textOfLength(64)]],
  ['configMapKey', configMapKey, '.a_B-1', ['.', '..', '..a', 'a b', '', textOfLength(254)]],
  ['portName', portName, 'http-1', ['1', 'a--b', '-a', 'A', textOfLength(16), '']],
  ['httpHeaderName', httpHeaderName, 'X-Name', ['a b', '', 'a:']],
  ['environmentName', environmentName, 'a b', ['', 'a=b', 'é']],
  ['pathSegment', pathSegment, 'a b', ['.', '..', 'a/b', 'a%b']],
] as const)('%s accepts valid values and reports problems of invalid ones', (_name, format, valid, invalidValues) => {
  expect(format(valid)).toEqual([]);
  for (const each of invalidValues) expect(format(each), each).not.toEqual([]);
});

test('regexMessage contains examples and the pattern', () => {
  expect(regexMessage('m', 'p', 'a', 'b')).toBe("m (e.g. 'a',  or 'b', regex used for validation is 'p')");
  expect(regexMessage('m', 'p')).toBe("m (regex used for validation is 'p')");
});

test('bytesOf counts UTF-8 bytes, and portNumber accepts both ends of its range', () => {
  expect(bytesOf('é')).toBe(2);
  expect([portNumber(1), portNumber(65_535)]).toEqual([[], []]);
  expect(portNumber(0)).toEqual(['must be between 1 and 65535, inclusive']);
});

test('checks of long texts are fast', () => {
  for (const format of [dns1123Subdomain, qualifiedName, labelValue]) expect(format(`${textOfLength(300_000)}!`)).not.toEqual([]);
});
