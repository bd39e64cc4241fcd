import { InvalidArgumentError } from 'commander';
import { describe, expect, test } from 'vitest';
import { parseDNSLabel, parseGroup, parseName } from '../../src/flags/names.ts';

describe('parseName', () => {
  test.each(['a', '1', 'kube-endpoints', 'a.b-c.d', 'x'.repeat(253)])('accepts %s', (text) => {
    expect(parseName(text)).toBe(text);
  });

  test.each(['', 'A', 'a_b', '-a', 'a-', '.a', 'a..b', 'a b', 'a\n', 'é', 'x'.repeat(254)])('refuses %j', (text) => {
    expect(() => parseName(text)).toThrow(InvalidArgumentError);
  });
});

test('namespaces have no dots, and groups fit into a label value', () => {
  expect([parseDNSLabel('x'.repeat(63)), parseGroup(`a.${'x'.repeat(61)}`)]).toHaveLength(2);
  expect(() => parseDNSLabel('a.b')).toThrow('at most 63 lower case letters, digits and "-", beginning');
  expect(() => parseDNSLabel('x'.repeat(64))).toThrow(InvalidArgumentError);
  expect(() => parseGroup('x'.repeat(64))).toThrow('at most 63 lower case letters, digits, "-" and "."');
});
