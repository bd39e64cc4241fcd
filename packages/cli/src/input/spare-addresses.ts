import { isMap } from './checks.ts';

/**
 * Hands out addresses that no Service of the input has: IPv4 addresses of the ranges for documentation and, beyond those, of the one for
 * benchmarks; IPv6 addresses of 2001:db8::/32. The same input gets the same ones.
 */
export function createSpareAddresses(services: readonly Record<string, unknown>[]): (family: string) => string {
  const taken = new Set(services.flatMap(addressesOf));
  const next: Record<string, Generator<string>> = { IPv4: spareIPv4(), IPv6: spareIPv6() };
  return (family) => {
    for (;;) {
      const { value } = (next[family === 'IPv6' ? 'IPv6' : 'IPv4'] as Generator<string, string>).next();
      if (!taken.has(value)) return value;
    }
  };
}

function addressesOf({ spec }: Record<string, unknown>): readonly unknown[] {
  if (!isMap(spec)) return [];
  const { clusterIP, clusterIPs } = spec;
  return [clusterIP, ...(Array.isArray(clusterIPs) ? clusterIPs : [])];
}

/** 192.0.2.1 to 192.0.2.254, the two other ranges likewise, then 198.18.0.1 on; it ends where an address would be none. */
function* spareIPv4(): Generator<string, string> {
  for (const range of ['192.0.2', '198.51.100', '203.0.113']) {
    for (let last = 1; last < 255; last++) yield `${range}.${last}`;
  }
  for (let at = 1; ; at++) yield `198.${18 + (at >> 16)}.${(at >> 8) & 255}.${at & 255}`;
}

function* spareIPv6(): Generator<string, string> {
  for (let at = 1; ; at++)
    yield at > 0xffff ? `2001:db8::${(at >> 16).toString(16)}:${(at & 0xffff).toString(16)}` : `2001:db8::${at.toString(16)}`;
}
