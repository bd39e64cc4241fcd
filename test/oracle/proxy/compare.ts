import { isDeepStrictEqual } from 'node:util';
import type { Difference } from '../conform.ts';
import type { FamilyAnswer, ProxyAnswer, ProxyPart } from './case.ts';

const parts: readonly ProxyPart[] = ['ports', 'healthCheckNodePorts', 'localReady', 'iptables', 'nftables'];

/** The first part in which two answers differ ("IPv4 nftables"), without what is the same in it; undefined where they are the same, or the release panics. */
export function firstDifference(theirs: ProxyAnswer, ours: ProxyAnswer): Difference | undefined {
  for (const family of ['IPv4', 'IPv6'] as const) {
    const [their, our]: FamilyAnswer[] = [theirs.families[family], ours.families[family]];
    if (their?.error !== undefined) continue;
    const part = parts.find((each) => !isDeepStrictEqual(their?.[each], our?.[each]));
    if (part) return { of: `${family} ${part}`, theirs: onlyIn(their?.[part], our?.[part]), ours: onlyIn(our?.[part], their?.[part]) };
  }
  return undefined;
}

/** What one has and the other has not, as deep as it takes. */
function onlyIn(one: unknown, other: unknown): unknown {
  if (Array.isArray(one) && Array.isArray(other)) {
    const left = one.filter((each) => !other.some((another) => isDeepStrictEqual(each, another)));
    return left.length > 0 || one.length !== other.length ? left : one;
  }
  if (!isRecord(one) || !isRecord(other)) return one;
  return Object.fromEntries(
    Object.entries(one)
      .filter(([key, value]) => !isDeepStrictEqual(value, other[key]))
      .map(([key, value]) => [key, onlyIn(value, other[key])]),
  );
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
