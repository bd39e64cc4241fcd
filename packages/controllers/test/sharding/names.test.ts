import { expect, test } from 'vitest';
import { requireName } from '../../src/election/settings.ts';
import { leaseNameOf } from '../../src/sharding/ring.ts';

test('says which replica it is', () => {
  expect(leaseNameOf('controllers', 'kube-endpoints-7d9c5b8f6-bxq7t')).toMatch(/^controllers-kube-endpoints-7d9c5b8f6-bxq7t-[0-9a-f]{8}$/);
});

test.each(['node_1/ABC', '---', '東京', `x${'y'.repeat(500)}`, 'a.', '-a-'])('%s makes a name that objects may have', (identity) => {
  expect(() => requireName('name', leaseNameOf('g', identity))).not.toThrow();
});

test('names that read the same are not the same', () => {
  const names = ['a.b', 'a-b', 'A-b', 'a_b', 'a--b'].map((identity) => leaseNameOf('g', identity));
  expect(new Set(names).size).toBe(names.length);
});
