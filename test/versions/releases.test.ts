import { describe, expect, it } from 'vitest';
import { firstMinor, formatRelease, isAtLeast, lastMinor, lastPatch, parseRelease } from '../../src/versions/releases.ts';

describe('parseRelease', () => {
  it.each([
    ['1.17', { minor: 17, patch: Number.POSITIVE_INFINITY }],
    ['1.37', { minor: 37, patch: Number.POSITIVE_INFINITY }],
    ['1.29.0', { minor: 29, patch: 0 }],
    ['1.29.6', { minor: 29, patch: 6 }],
    ['1.17.17', { minor: 17, patch: 17 }],
    ['1.37.99999', { minor: 37, patch: 99999 }],
  ])('parses and formats %s', (version, release) => {
    expect(parseRelease(version)).toEqual(release);
    expect(formatRelease(release)).toBe(version);
  });

  it.each([
    '',
    '1',
    '1.',
    '1.8',
    '1.38',
    '1.0',
    '1.170',
    '2.29',
    '0.29',
    'v1.29',
    '1.29.',
    '1.29.x',
    '1.29.06',
    '1.029',
    '1.29.6.1',
    '1.29.6-gke.1',
    ' 1.29',
    '1.29 ',
    '1,29',
    'latest',
    '11.29',
    '1.29.123456',
  ])('refuses %j and names the valid range', (version) => {
    expect(() => parseRelease(version)).toThrow(
      new RangeError(
        `Kubernetes version ${JSON.stringify(version)} is not known: give "1.9" to "1.37", or a patch release of one, such as "1.37.0"`,
      ),
    );
  });

  it.each([
    [null, 'null'],
    [undefined, 'undefined'],
    [1.29, '1.29'],
    [{}, '{}'],
    [['1.29'], '["1.29"]'],
  ])('refuses %j, which is not a string', (version, shown) => {
    expect(() => parseRelease(version as unknown as string)).toThrow(RangeError);
    expect(() => parseRelease(version as unknown as string)).toThrow(`Kubernetes version ${shown} is not known`);
  });

  it.each(Object.entries(lastPatch))('refuses patch releases of 1.%s after %i', (minor, last) => {
    expect(parseRelease(`1.${minor}.${last}`).patch).toBe(last);
    expect(() => parseRelease(`1.${minor}.${last + 1}`)).toThrow(
      new RangeError(
        `Kubernetes version "1.${minor}.${last + 1}" is not known: give "1.9" to "1.37", or a patch release of one, such as "1.37.0"; the last patch release of 1.${minor} is 1.${minor}.${last}`,
      ),
    );
  });

  it('covers every minor release of the range', () => {
    for (let minor = firstMinor; minor <= lastMinor; minor++) expect(parseRelease(`1.${minor}`).minor).toBe(minor);
    expect([firstMinor, lastMinor]).toEqual([9, 37]);
  });
});

describe('isAtLeast', () => {
  it.each([
    ['1.29', '1.29', true],
    ['1.29', '1.29.6', true],
    ['1.29.6', '1.29', false],
    ['1.29.6', '1.29.6', true],
    ['1.29.6', '1.29.7', false],
    ['1.29.10', '1.29.9', true],
    ['1.30.0', '1.29', true],
    ['1.29', '1.30.0', false],
  ])('for %s and %s, returns %s', (a, b, expected) => {
    expect(isAtLeast(parseRelease(a), parseRelease(b))).toBe(expected);
  });
});
