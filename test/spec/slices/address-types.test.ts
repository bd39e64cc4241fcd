import { expect, it } from 'vitest';
import { addressTypesOf } from '../../../src/spec/slices/desired.ts';
import type { Service } from '../../../src/types/index.ts';
import { profileFor } from '../../../src/versions/index.ts';

it.each<{ spec: Service['spec']; expected: string[] }>([
  { spec: { ipFamilies: ['IPv4'] }, expected: ['IPv4'] },
  { spec: { ipFamilies: ['IPv6'] }, expected: ['IPv6'] },
  { spec: { ipFamilies: ['IPv6', 'IPv4'] }, expected: ['IPv4', 'IPv6'] },
  { spec: { ipFamilies: ['IPv4'], clusterIP: 'fd00::1' }, expected: ['IPv4'] },
  { spec: { ipFamilies: ['IPv6', 'IPv6'] }, expected: ['IPv6'] },
  { spec: { ipFamilies: [], clusterIP: '10.96.0.1' }, expected: ['IPv4'] },
  { spec: { ipFamilies: ['IPv5'], clusterIP: 'fd00::1' }, expected: ['IPv6'] },
  { spec: { ipFamilies: null, clusterIP: 'fd00::1' }, expected: ['IPv6'] },
  { spec: { clusterIP: 'no IP' }, expected: ['IPv4'] },
  { spec: { clusterIP: 'None' }, expected: ['IPv4', 'IPv6'] },
  { spec: { clusterIP: '' }, expected: ['IPv4', 'IPv6'] },
  { spec: { clusterIP: null }, expected: ['IPv4', 'IPv6'] },
  { spec: {}, expected: ['IPv4', 'IPv6'] },
  { spec: null, expected: ['IPv4', 'IPv6'] },
])('addressTypesOf returns for $spec: $expected', ({ spec, expected }) => {
  const types = addressTypesOf({ spec }, profileFor());
  expect(types).toEqual(expected);
  types.length = 0;
  expect(addressTypesOf({ spec }, profileFor())).toEqual(expected);
});
