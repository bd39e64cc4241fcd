import { describe, expect, test } from 'vitest';
import { parseZone } from '../../src/flags/zone.ts';

describe('parseZone', () => {
  test.each([
    ['cluster.local', 'cluster.local'],
    ['Cluster.Local.', 'cluster.local'],
    ['k8s', 'k8s'],
  ])('normalizes %s', (text, zone) => {
    expect(parseZone(text)).toBe(zone);
  });

  test.each(['', '.', 'a..b', '-a', `${'a'.repeat(64)}.local`, 'a b', `${'a.'.repeat(127)}aa`])('refuses %j', (text) => {
    expect(() => parseZone(text)).toThrow('give a domain such as cluster.local');
  });
});
