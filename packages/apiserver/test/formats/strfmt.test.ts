import { describe, expect, it } from 'vitest';
import { formatOf, formats, isKnownFormat } from '../../src/formats/strfmt.ts';

const samples: Readonly<Record<string, readonly [valid: readonly string[], invalid: readonly string[]]>> = {
  bsonobjectid: [['507f1f77bcf86cd799439011'], ['507f1f77bcf86cd79943901', 'z07f1f77bcf86cd799439011']],
  uri: [
    ['https://a.b/c', '/a'],
    ['a', 'http://a b'],
  ],
  email: [
    ['a@b.c', 'Some One <a@b.c>'],
    ['a', '@b.c'],
  ],
  hostname: [
    ['a.b-c.de', 'localhost'],
    ['a..b', '-a.b'],
  ],
  ipv4: [
    ['10.0.0.1', '010.0.0.1'],
    ['1.2.3', '::1'],
  ],
  ipv6: [
    ['::1', 'fe80::1'],
    ['1.2.3.4', ':::'],
  ],
  cidr: [
    ['10.0.0.0/8', '::/0'],
    ['10.0.0.0', '10.0.0.0/33'],
  ],
  mac: [
    ['00:1b:44:11:3a:b7', '001b.4411.3ab7'],
    ['00:1b:44:11:3a', '00:1b:44:11:3a:zz'],
  ],
  uuid: [['123e4567-e89b-12d3-a456-426614174000', '123E4567E89B12D3A456426614174000'], ['123e4567']],
  uuid3: [['6fa459ea-ee8a-3ca4-894e-db77e160355e'], ['6fa459ea-ee8a-4ca4-894e-db77e160355e']],
  uuid4: [['123e4567-e89b-42d3-a456-426614174000'], ['123e4567-e89b-42d3-7456-426614174000']],
  uuid5: [['886313e1-3b8a-5372-9b90-0c9aee199e5d'], ['886313e1-3b8a-4372-9b90-0c9aee199e5d']],
  isbn: [['0321751043', '978-0321751041'], ['0321751044']],
  isbn10: [['0321751043'], ['978-0321751041']],
  isbn13: [['978-0321751041'], ['0321751043', '978-0321751042']],
  creditcard: [['4111 1111 1111 1111'], ['4111111111111112', 'x']],
  ssn: [['123-45-6789'], ['12-45-6789']],
  hexcolor: [['#fff', 'a1b2c3'], ['#ffff']],
  rgbcolor: [['rgb(1, 2,255)'], ['rgb(1,2,256)', 'rgb(1,2)']],
  byte: [['aGVsbG8='], ['aGVsbG8', '']],
  password: [['anything'], []],
  date: [['2024-02-29'], ['2023-02-29', '2024-2-9']],
  duration: [
    ['1h30m', '3 days'],
    ['1.5x', 'x'],
  ],
  datetime: [['2024-02-29T12:34:56Z'], ['2024-02-29', '2024-02-29T25:34:56Z']],
  k8sshortname: [['a-b'], ['A', 'a.b', 'a'.repeat(64)]],
  k8slongname: [['a.b-c'], ['a..b', 'a'.repeat(254)]],
};

describe('formats', () => {
  it.each([...formats.keys()])('%s accepts valid values and refuses invalid ones', (name) => {
    const [validValues, invalidValues] = samples[name] as (typeof samples)[string];
    const matches = formats.get(name) as (text: string) => boolean;
    expect(validValues.filter((text) => !matches(text))).toEqual([]);
    expect(invalidValues.filter(matches)).toEqual([]);
  });

  it('checks long texts in linear time, and only password accepts them', () => {
    const longTexts = [
      `${'a'.repeat(100_000)}!`,
      `${'1'.repeat(100_000)}x`,
      `${'a.'.repeat(50_000)}!`,
      `${'1h'.repeat(50_000)}!`,
      ' '.repeat(100_000),
    ];
    for (const [name, matches] of formats) for (const text of longTexts) expect([name, matches(text)]).toEqual([name, name === 'password']);
  });
});

describe('isKnownFormat', () => {
  it('is true only for a known format of the given type', () => {
    expect([isKnownFormat('date-time', 'string'), isKnownFormat('date-time', ''), isKnownFormat('date-time', 'integer')]).toEqual([
      true,
      true,
      false,
    ]);
    expect([isKnownFormat('int32', 'integer'), isKnownFormat('double', 'number'), isKnownFormat('int32', 'string')]).toEqual([
      true,
      true,
      false,
    ]);
    expect([isKnownFormat('constructor', 'string'), isKnownFormat('x', 'constructor')]).toEqual([false, false]);
  });
});

describe('formatOf', () => {
  it('returns an empty string for an unknown or absent format', () => {
    expect(formatOf({ format: 'nonsense' }, ['string'])).toBe('');
    expect(formatOf({ format: 'email' }, ['string'])).toBe('email');
    expect(formatOf({}, ['string'])).toBe('');
  });
});
