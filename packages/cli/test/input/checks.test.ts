import { describe, expect, test } from 'vitest';
import * as checks from '../../src/input/checks.ts';

const {
  address,
  clusterAddress,
  flag,
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
  readonly what: string;
  readonly check: checks.Check;
  readonly want: string;
  readonly good: readonly unknown[];
  readonly bad: readonly unknown[];
}

const name = 'a name of lower-case letters, digits, "-" and "."';
const nothings = [undefined, null];

const rows: readonly Row[] = [
  {
    what: 'map',
    check: map,
    want: 'a map',
    good: [{}, { a: 1 }],
    bad: [...nothings, [], new Date(0), new Uint8Array(1), new Map(), 'a', 0],
  },
  { what: 'list', check: list, want: 'a list', good: [[], [1]], bad: [...nothings, {}, { length: 0 }, 'a', new Uint8Array(1)] },
  { what: 'text', check: text, want: 'text, quoted in YAML', good: ['', 'a'], bad: [...nothings, 0, true, ['a'], {}] },
  { what: 'flag', check: flag, want: 'true or false', good: [true, false], bad: [...nothings, 'true', 0, 1] },
  {
    what: 'wholeNumber',
    check: wholeNumber(1, 65535),
    want: 'a whole number from 1 to 65535',
    good: [1, 65535],
    bad: [...nothings, 0, 65536, -1, 1.5, '1', Number.NaN, Number.POSITIVE_INFINITY, true],
  },
  { what: 'oneOf two', check: oneOf('A', 'B'), want: 'A or B', good: ['A', 'B', ''], bad: [...nothings, 'a', 'AB', 'C', ['A']] },
  { what: 'oneOf three', check: oneOf('A', 'B', 'C'), want: 'A, B or C', good: ['C', ''], bad: ['D', 'constructor'] },
  {
    what: 'objectName',
    check: objectName,
    want: name,
    good: ['a', '0', 'a-b.c', 'x'.repeat(253)],
    bad: [...nothings, '', 'A', 'a_b', '-a', 'a-', '.a', 'a.', 'a b', 'a\n', 'é', 'x'.repeat(254), 7],
  },
  { what: 'namespaceName', check: namespaceName, want: name, good: ['', 'shop'], bad: ['Shop', 'a/b', 7] },
  {
    what: 'requiredAddress',
    check: requiredAddress,
    want: 'an IPv4 or IPv6 address',
    good: ['10.0.0.1', '255.255.255.255', '::', 'fd00::1', '::ffff:1.2.3.4'],
    bad: [...nothings, '', '10.0.0.256', '10.0.0', '10.0.0.1/8', 'fd00::1::2', '[::1]', 'localhost', 10],
  },
  { what: 'address', check: address, want: 'an IPv4 or IPv6 address', good: ['', '10.0.0.1'], bad: ['None', '10.0.0.256', 10] },
  {
    what: 'clusterAddress',
    check: clusterAddress,
    want: 'an IPv4 or IPv6 address, or None',
    good: ['', 'None', '10.0.0.1', 'fd00::1'],
    bad: ['none', '10.0.0.256', 10],
  },
  {
    what: 'quantity',
    check: quantity,
    want: 'a quantity such as "500m"',
    good: [4, 0.5, '500m', '', 'much'],
    bad: [true, {}, ['4']],
  },
  {
    what: 'targetPort',
    check: targetPort,
    want: "a whole number from 0 to 65535, or the name of a container's port",
    good: [0, 65535, '', 'http', '80'],
    bad: [...nothings, -1, 65536, 80.5, true, ['http']],
  },
  {
    what: 'timestamp',
    check: timestamp,
    want: 'a time such as "2026-01-31T12:00:00Z"',
    good: [
      '2026-01-31T12:00:00Z',
      '2024-02-29T23:59:59Z',
      '2000-02-29T00:00:00Z',
      '2026-01-31T12:00:00.123456789Z',
      '2026-01-31T12:00:00-08:30',
    ],
    bad: [
      ...nothings,
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

describe.each(rows)('$what', ({ check, want, good, bad }) => {
  test('describes the valid value', () => {
    expect(check.want).toBe(want);
  });
  test.each(good.map((value) => [value]))('accepts %j', (value) => {
    expect(check.accepts(value)).toBe(true);
  });
  test.each(bad.map((value) => [value]))('refuses %j', (value) => {
    expect(check.accepts(value)).toBe(false);
  });
});

test('the table covers every check', () => {
  const { isMap: _, ...all } = checks;
  const named = rows.map(({ what }) => what.split(' ')[0]);
  expect(Object.keys(all).filter((key) => !named.includes(key))).toEqual([]);
});
