import { isDeepStrictEqual } from 'node:util';
import type { Difference } from '../conform.ts';
import type { FamilyAnswer, FamilyOutcomes, ProxyAnswer, ProxyPart } from './case.ts';

const parts: readonly ProxyPart[] = ['ports', 'healthCheckNodePorts', 'localReady', 'iptables', 'nftables', 'ipvs'];

/**
 * Returns the first part that differs, such as "IPv4 nftables", without its equal content; undefined if all parts are equal or the release
 * panics. If the release gave several answers, each piece of a part (for nftables, each line) must equal that piece of one of the answers.
 */
export function firstDifference(theirs: ProxyAnswer, ours: ProxyAnswer): Difference | undefined {
  for (const family of ['IPv4', 'IPv6'] as const) {
    const [their, our]: [FamilyOutcomes, FamilyAnswer] = [theirs.families[family], ours.families[family]];
    const outcomes = [their, ...(their.others ?? [])];
    if (outcomes.some(({ error }) => error !== undefined)) continue;
    const part = parts.find((each) => !matchesAnyOutcome(our, outcomes, each));
    if (part)
      return {
        path: `${family} ${part}`,
        theirs: findDifferingContent(their[part], our[part]),
        ours: findDifferingContent(our[part], their[part]),
      };
  }
  return undefined;
}

const matchesAnyOutcome = (our: FamilyAnswer, outcomes: readonly FamilyAnswer[], part: ProxyPart): boolean => {
  const values = outcomes.map((outcome) => outcome[part]);
  if (values.some((value) => isDeepStrictEqual(value, our[part]))) return true;
  if (outcomes.length === 1) return false;
  if (part === 'nftables' || part === 'ipvs') return isMixtureOfDumps(our[part] ?? [], values as string[][]);
  return isCombination(our[part], values, depths[part]);
};

/** The depth at which pieces vary independently: a port, a Service, a chain of a table. */
const depths: Readonly<Record<Exclude<ProxyPart, 'nftables' | 'ipvs'>, number>> = {
  ports: 1,
  healthCheckNodePorts: 1,
  localReady: 1,
  iptables: 2,
  error: 0,
};

/** Whether each piece equals that of one of several answers, and no piece that all of them have is missing. */
function isCombination(our: unknown, theirs: readonly unknown[], depth: number): boolean {
  if (depth === 0 || !isObject(our) || !theirs.every(isObject)) return theirs.some((their) => isDeepStrictEqual(their, our));
  const keys = new Set([our, ...theirs].flatMap(Object.keys));
  return [...keys].every((key) =>
    isCombination(
      our[key],
      theirs.map((their) => their[key]),
      depth - 1,
    ),
  );
}

/**
 * Whether the lines are a mixture of those of several dumps. If ports conflict, the last port in kube-proxy's order determines
 * the element, but its comment may come from the first. The library takes both from one port.
 */
function isMixtureOfDumps(lines: readonly string[], dumps: readonly (readonly string[])[]): boolean {
  const ownLines = new Set(lines);
  const sets = dumps.map((dump) => new Set(dump));
  const isKnown = lines.every((line) => sets.some((set) => set.has(line)));
  const isWhole = dumps[0]?.every((line) => ownLines.has(line) || !sets.every((set) => set.has(line)));
  return isKnown && isWhole === true && dumps.some(({ length }) => length === lines.length);
}

/** Returns the content that the other value lacks, at any depth. */
function findDifferingContent(one: unknown, other: unknown): unknown {
  if (Array.isArray(one) && Array.isArray(other)) {
    const missing = one.filter((each) => !other.some((another) => isDeepStrictEqual(each, another)));
    return missing.length > 0 || one.length !== other.length ? missing : one;
  }
  if (!isRecord(one) || !isRecord(other)) return one;
  return Object.fromEntries(
    Object.entries(one)
      .filter(([key, value]) => !isDeepStrictEqual(value, other[key]))
      .map(([key, value]) => [key, findDifferingContent(value, other[key])]),
  );
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const isRecord = (value: unknown): value is Record<string, unknown> => isObject(value) && !Array.isArray(value);
