import { describe, expect, test } from 'vitest';
import { readZone } from '../../src/flags/zone.ts';

describe('readZone', () => {
  test.each([
    ['cluster.local', 'cluster.local'],
    ['Cluster.Local.', 'cluster.local'],
    ['k8s', 'k8s'],
  ])('normalizes %s', (text, zone) => {
    expect(readZone(text)).toBe(zone);
  });

  test.each(['', '.', 'a..b', '-a', `${'a'.repeat(64)}.local`, 'a b', `${'a.'.repeat(127)}aa`])('refuses %j', (text) => {
    expect(() => readZone(text)).toThrow('give a domain such as cluster.local');
  });
});
