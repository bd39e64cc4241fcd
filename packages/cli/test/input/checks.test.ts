import { describe, expect, test } from 'vitest';
import * as checks from '../../src/input/checks.ts';

const {
  address,
  clusterAddress,
  bool,
  list,
  map,
  namespaceName,
  objectName,
  oneOf,
  quantity,
  requiredAddress,
  targetPort,
  text,
  timestamp,
  wholeNumber,
} = checks;

interface Row {
  readonly name: string;
  readonly check: checks.Check;
  readonly expected: string;
  readonly good: readonly unknown[];
  readonly bad: readonly unknown[];
}

const nameText = 'a name of lower-case letters, digits, "-" and "."';
const absentValues = [undefined, null];

const rows: readonly Row[] = [
  {
    name: 'map',
    check: map,
    expected: 'a map',
    good: [{}, { a: 1 }],
    bad: [...absentValues, [], new Date(0), new Uint8Array(1), new Map(), 'a', 0],
  },
  { name: 'list', check: list, expected: 'a list', good: [[], [1]], bad: [...absentValues, {}, { length: 0 }, 'a', new Uint8Array(1)] },
  { name: 'text', check: text, expected: 'text, quoted in YAML', good: ['', 'a'], bad: [...absentValues, 0, true, ['a'], {}] },
  { name: 'bool', check: bool, expected: 'true or false', good: [true, false], bad: [...absentValues, 'true', 0, 1] },
  {
    name: 'wholeNumber',
    check: wholeNumber(1, 65535),
    expected: 'a whole number from 1 to 65535',
    good: [1, 65535],
    bad: [...absentValues, 0, 65536, -1, 1.5, '1', Number.NaN, Number.POSITIVE_INFINITY, true],
  },
  { name: 'oneOf two', check: oneOf('A', 'B'), expected: 'A or B', good: ['A', 'B', ''], bad: [...absentValues, 'a', 'AB', 'C', ['A']] },
  { name: 'oneOf three', check: oneOf('A', 'B', 'C'), expected: 'A, B or C', good: ['C', ''], bad: ['D', 'constructor'] },
  {
    name: 'objectName',
    check: objectName,
    expected: nameText,
    good: ['a', '0', 'a-b.c', 'x'.repeat(253)],
    bad: [...absentValues, '', 'A', 'a_b', '-a', 'a-', '.a', 'a.', 'a b', 'a\n', 'é', 'x'.repeat(254), 7],
  },
  { name: 'namespaceName', check: namespaceName, expected: nameText, good: ['', 'shop'], bad: ['Shop', 'a/b', 7] },
  {
    name: 'requiredAddress',
    check: requiredAddress,
    expected: 'an IPv4 or IPv6 address',
    good: ['10.0.0.1', '255.255.255.255', '::', 'fd00::1', '::ffff:1.2.3.4'],
    bad: [...absentValues, '', '10.0.0.256', '10.0.0', '10.0.0.1/8', 'fd00::1::2', '[::1]', 'localhost', 10],
  },
  { name: 'address', check: address, expected: 'an IPv4 or IPv6 address', good: ['', '10.0.0.1'], bad: ['None', '10.0.0.256', 10] },
  {
    name: 'clusterAddress',
    check: clusterAddress,
    expected: 'an IPv4 or IPv6 address, or None',
    good: ['', 'None', '10.0.0.1', 'fd00::1'],
    bad: ['none', '10.0.0.256', 10],
  },
  {
    name: 'quantity',
    check: quantity,
    expected: 'a quantity such as "500m"',
    good: [4, 0.5, '500m', '', 'much'],
    bad: [true, {}, ['4']],
  },
  {
    name: 'targetPort',
    check: targetPort,
    expected: "a whole number from 0 to 65535, or the name of a container's port",
    good: [0, 65535, '', 'http', '80'],
    bad: [...absentValues, -1, 65536, 80.5, true, ['http']],
  },
  {
    name: 'timestamp',
    check: timestamp,
    expected: 'a time such as "2026-01-31T12:00:00Z"',
    good: [
      '2026-01-31T12:00:00Z',
      '2024-02-29T23:59:59Z',
      '2000-02-29T00:00:00Z',
      '2026-01-31T12:00:00.123456789Z',
      '2026-01-31T12:00:00-08:30',
    ],
    bad: [
      ...absentValues,
      '',
      '2026-01-31',
      '2026-01-31 12:00:00Z',
      '2026-01-31T12:00:00',
      '2026-13-31T12:00:00Z',
      '2026-01-32T12:00:00Z',
      '2026-02-29T12:00:00Z',
      '2026-04-31T12:00:00Z',
      '1900-02-29T12:00:00Z',
      '2026-01-31T24:00:00Z',
      '2026-01-31T12:00:60Z',
      '2026-01-31T12:60:00Z',
      '2026-01-31T12:00:00.Z',
      ' 2026-01-31T12:00:00Z',
      'x2026-01-31T12:00:00Zx',
      1769860800,
    ],
  },
];

describe.each(rows)('the check $name', ({ check, expected, good, bad }) => {
  test('describes the valid value', () => {
    expect(check.expected).toBe(expected);
  });
  test.each(good.map((value) => [value]))('accepts %j', (value) => {
    expect(check.accepts(value)).toBe(true);
  });
  test.each(bad.map((value) => [value]))('refuses %j', (value) => {
    expect(check.accepts(value)).toBe(false);
  });
});

test('the table covers every check', () => {
  const { isMap: _, ...allChecks } = checks;
  const testedChecks = rows.map(({ name }) => name.split(' ')[0]);
  expect(Object.keys(allChecks).filter((key) => !testedChecks.includes(key))).toEqual([]);
});
