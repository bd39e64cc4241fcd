import { canonicalIP } from 'kube-endpoints/internal/apimachinery';
import { expect, test } from 'vitest';
import { createSpareAddressGenerator } from '../../src/input/defaults.ts';

const takeAddresses = (next: (family: string) => string, family: string, count: number) =>
  Array.from({ length: count }, () => next(family));

test('spare addresses are unique and from the documentation ranges', () => {
  const next = createSpareAddressGenerator([]);
  expect(takeAddresses(next, 'IPv4', 2)).toEqual(['192.0.2.1', '192.0.2.2']);
  expect(takeAddresses(next, 'IPv6', 2)).toEqual(['2001:db8::1', '2001:db8::2']);
});

test('spare addresses skip those of Services', () => {
  const services = [{ spec: { clusterIP: '192.0.2.1', clusterIPs: ['192.0.2.1', '2001:db8::1'] } }, { spec: { clusterIPs: null } }, {}];
  const next = createSpareAddressGenerator(services);
  expect([next('IPv4'), next('IPv6')]).toEqual(['192.0.2.2', '2001:db8::2']);
});

test.each(['IPv4', 'IPv6'])('70,000 valid and unique spare addresses exist (%s)', (family) => {
  const addresses = takeAddresses(createSpareAddressGenerator([]), family, 70_000);
  expect(new Set(addresses).size).toBe(70_000);
  expect(addresses.filter((address) => canonicalIP(address) !== address)).toEqual([]);
});
