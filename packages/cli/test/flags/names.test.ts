import { InvalidArgumentError } from 'commander';
import { describe, expect, test } from 'vitest';
import { readDNSLabel, readGroup, readName } from '../../src/flags/names.ts';

describe('readName', () => {
  test.each(['a', '1', 'kube-endpoints', 'a.b-c.d', 'x'.repeat(253)])('accepts %s', (text) => {
    expect(readName(text)).toBe(text);
  });

  test.each(['', 'A', 'a_b', '-a', 'a-', '.a', 'a..b', 'a b', 'a\n', 'é', 'x'.repeat(254)])('refuses %j', (text) => {
    expect(() => readName(text)).toThrow(InvalidArgumentError);
  });
});

test('namespaces have no dots, and groups fit into a label value', () => {
  expect([readDNSLabel('x'.repeat(63)), readGroup(`a.${'x'.repeat(61)}`)]).toHaveLength(2);
  expect(() => readDNSLabel('a.b')).toThrow('at most 63 lower case letters, digits and "-", beginning');
  expect(() => readDNSLabel('x'.repeat(64))).toThrow(InvalidArgumentError);
  expect(() => readGroup('x'.repeat(64))).toThrow('at most 63 lower case letters, digits, "-" and "."');
});
