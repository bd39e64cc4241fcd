import { describe, expect, it } from 'vitest';
import { isAtOrBelow, problemOfName, relativeName, splitLabels, toLowerAscii } from '../../src/dns/name.ts';

describe('toLowerAscii', () => {
  it('changes only ASCII letters, so that the length stays the same', () => {
    expect(toLowerAscii('WEB.Éİ.Local.')).toBe('web.Éİ.local.');
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
  ])('for the name %s and the zone %s, returns %j', (name, zone, expected) => {
    expect(isAtOrBelow(name, zone)).toBe(expected);
  });
});

describe('relativeName', () => {
  it('returns the part before the zone', () => {
    expect(relativeName('web.shop.cluster.local.', 'cluster.local.')).toBe('web.shop');
    expect(relativeName('cluster.local.', 'cluster.local.')).toBe('');
    expect([relativeName('web.', '.'), relativeName('.', '.')]).toEqual(['web', '']);
  });
});

describe('splitLabels', () => {
  it('splits at unescaped dots', () => {
    expect(splitLabels('a.b')).toEqual(['a', 'b']);
    expect(splitLabels('a\\.b.c')).toEqual(['a\\.b', 'c']);
    expect(splitLabels('a\\\\.b')).toEqual(['a\\\\', 'b']);
    expect(splitLabels('')).toEqual([]);
  });
});

describe('problemOfName', () => {
  it.each([
    ['.', undefined],
    ['a.', undefined],
    ['\u0000.x\\000y.', undefined],
    [`${'a'.repeat(63)}.`, undefined],
    [`${'a'.repeat(64)}.`, 'it has a label of more than 63 octets'],
    [`${'é'.repeat(32)}.`, 'it has a label of more than 63 octets'],
    [`${'\\001'.repeat(63)}.`, undefined],
    [`${'\\001'.repeat(64)}.`, 'it has a label of more than 63 octets'],
    [`${'😀'.repeat(15)}.`, undefined],
    [`${'😀'.repeat(16)}.`, 'it has a label of more than 63 octets'],
    ['a..b.', 'it has an empty label'],
    ['..', 'it has an empty label'],
    [`${'a.'.repeat(127)}`, undefined],
    [`${'a.'.repeat(128)}`, 'it is longer than 255 octets'],
    [`${'é.'.repeat(85)}`, 'it is longer than 255 octets'],
  ])('reports for %j: %s', (name, problem) => {
    expect(problemOfName(name)).toBe(problem);
  });
});
