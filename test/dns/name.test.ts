import { describe, expect, it } from 'vitest';
import { isAtOrBelow, labelsOf, lowered, problemOfName, relativeTo } from '../../src/dns/name.ts';

describe('lowered', () => {
  it('changes only ASCII letters, so that the length stays the same', () => {
    expect(lowered('WEB.Éİ.Local.')).toBe('web.Éİ.local.');
  });
});

describe('isAtOrBelow', () => {
  it.each([
    ['cluster.local.', 'cluster.local.', true],
    ['web.cluster.local.', 'cluster.local.', true],
    ['xcluster.local.', 'cluster.local.', false],
    ['web\\.cluster.local.', 'cluster.local.', false],
    ['web\\\\.cluster.local.', 'cluster.local.', true],
    ['local.', 'cluster.local.', false],
    ['anything.', '.', true],
    ['.', 'cluster.local.', false],
  ])('of %s and the zone %s is %j', (name, zone, expected) => {
    expect(isAtOrBelow(name, zone)).toBe(expected);
  });
});

describe('relativeTo', () => {
  it('returns the part before the zone', () => {
    expect(relativeTo('web.shop.cluster.local.', 'cluster.local.')).toBe('web.shop');
    expect(relativeTo('cluster.local.', 'cluster.local.')).toBe('');
    expect([relativeTo('web.', '.'), relativeTo('.', '.')]).toEqual(['web', '']);
  });
});

describe('labelsOf', () => {
  it('splits at unescaped dots', () => {
    expect(labelsOf('a.b')).toEqual(['a', 'b']);
    expect(labelsOf('a\\.b.c')).toEqual(['a\\.b', 'c']);
    expect(labelsOf('a\\\\.b')).toEqual(['a\\\\', 'b']);
    expect(labelsOf('')).toEqual([]);
  });
});

describe('problemOfName', () => {
  it.each([
    ['.', undefined],
    ['a.', undefined],
    ['\u0000.x\\000y.', undefined],
    [`${'a'.repeat(63)}.`, undefined],
    [`${'a'.repeat(64)}.`, 'a label of it is longer than 63 octets'],
    [`${'é'.repeat(32)}.`, 'a label of it is longer than 63 octets'],
    [`${'\\001'.repeat(63)}.`, undefined],
    [`${'\\001'.repeat(64)}.`, 'a label of it is longer than 63 octets'],
    [`${'😀'.repeat(15)}.`, undefined],
    [`${'😀'.repeat(16)}.`, 'a label of it is longer than 63 octets'],
    ['a..b.', 'a label of it is empty'],
    ['..', 'a label of it is empty'],
    [`${'a.'.repeat(127)}`, undefined],
    [`${'a.'.repeat(128)}`, 'it is longer than 255 octets'],
    [`${'é.'.repeat(85)}`, 'it is longer than 255 octets'],
  ])('reports for %j: %s', (name, problem) => {
    expect(problemOfName(name)).toBe(problem);
  });
});
