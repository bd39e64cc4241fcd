import { isDeepStrictEqual } from 'node:util';
import type { Difference } from '../conform.ts';
import type { FamilyAnswer, FamilyOutcomes, ProxyAnswer, ProxyPart } from './case.ts';

const parts: readonly ProxyPart[] = ['ports', 'healthCheckNodePorts', 'localReady', 'iptables', 'nftables'];

/**
 * The first part in which two answers differ ("IPv4 nftables"), without what is the same in it; undefined where they are the same, or the
 * release panics. Of several answers that the release gave, each piece of a part has to be that of one, and each line of nftables' rules.
 */
export function firstDifference(theirs: ProxyAnswer, ours: ProxyAnswer): Difference | undefined {
  for (const family of ['IPv4', 'IPv6'] as const) {
    const [their, our]: [FamilyOutcomes, FamilyAnswer] = [theirs.families[family], ours.families[family]];
    const outcomes = [their, ...(their.others ?? [])];
    if (outcomes.some(({ error }) => error !== undefined)) continue;
    const part = parts.find((each) => !isOneOf(our, outcomes, each));
    if (part) return { of: `${family} ${part}`, theirs: onlyIn(their[part], our[part]), ours: onlyIn(our[part], their[part]) };
  }
  return undefined;
}

const isOneOf = (our: FamilyAnswer, outcomes: readonly FamilyAnswer[], part: ProxyPart): boolean => {
  const wholes = outcomes.map((outcome) => outcome[part]);
  if (wholes.some((whole) => isDeepStrictEqual(whole, our[part]))) return true;
  if (outcomes.length === 1) return false;
  return part === 'nftables' ? isMixed(our.nftables ?? [], wholes as string[][]) : isMadeOf(our[part], wholes, depths[part]);
};

/** How far down the pieces are of which each is a matter of chance by itself: a port, a Service, a chain of a table. */
const depths: Readonly<Record<Exclude<ProxyPart, 'nftables'>, number>> = {
  ports: 1,
  healthCheckNodePorts: 1,
  localReady: 1,
  iptables: 2,
  error: 0,
};

/** Whether each piece is that of one of several answers, and none is left out that all of them have. */
function isMadeOf(our: unknown, theirs: readonly unknown[], depth: number): boolean {
  if (depth === 0 || !isObject(our) || !theirs.every(isObject)) return theirs.some((their) => isDeepStrictEqual(their, our));
  const keys = new Set([our, ...theirs].flatMap(Object.keys));
  return [...keys].every((key) =>
    isMadeOf(
      our[key],
      theirs.map((their) => their[key]),
      depth - 1,
    ),
  );
}

/**
 * Whether lines are made of those of several dumps. Where ports claim the same, the last of the original's order has an element, but the
 * first may have its comment; here both are of one port.
 */
function isMixed(lines: readonly string[], dumps: readonly (readonly string[])[]): boolean {
  const own = new Set(lines);
  const sets = dumps.map((dump) => new Set(dump));
  const isKnown = lines.every((line) => sets.some((set) => set.has(line)));
  const isWhole = dumps[0]?.every((line) => own.has(line) || !sets.every((set) => set.has(line)));
  return isKnown && isWhole === true && dumps.some(({ length }) => length === lines.length);
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

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const isRecord = (value: unknown): value is Record<string, unknown> => isObject(value) && !Array.isArray(value);
