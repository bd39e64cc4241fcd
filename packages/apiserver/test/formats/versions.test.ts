import { expect, test } from 'vitest';
import { compareVersions } from '../../src/formats/versions.ts';

test('compareVersions sorts by stability, then by number', () => {
  const versions = ['foo10', 'v1alpha1', 'v3beta1', 'v11alpha2', 'v12', 'v2', 'v10', 'v1', 'v10beta3', 'v11beta2', 'foo1', 'v11beta10'];
  expect(versions.sort((a, b) => compareVersions(b, a))).toEqual([
    'v12',
    'v10',
    'v2',
    'v1',
    'v11beta10',
    'v11beta2',
    'v10beta3',
    'v3beta1',
    'v11alpha2',
    'v1alpha1',
    'foo1',
    'foo10',
  ]);
  expect(compareVersions('v1', 'v1')).toBe(0);
});
