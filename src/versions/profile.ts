import { type Gate, type GateName, gates } from './gates.ts';
import { formatRelease, isAtLeast, lastMinor, parseRelease, type Release } from './releases.ts';

/** The behaviour of one release: whether each gate of the table is on. Frozen. */
export type Profile = Readonly<Record<GateName, boolean>> & { readonly version: string };

/** The newest minor release that this package specifies; the default of every `version` option. */
export const newest: string = `1.${lastMinor}`;

/**
 * Returns the profile of a release.
 * @param version "1.17" to "1.37" (the last patch release of that minor) or a patch release such as "1.29.6"
 * @throws RangeError naming the accepted range
 */
export const profileFor: (version?: string) => Profile = /* @__PURE__ */ cacheNewest((version) => {
  const release = parseRelease(version);
  const profile: Record<string, boolean | string> = { version: formatRelease(release) };
  for (const { name, gate } of rows) profile[name] = isOpenAt(gate, release);
  return Object.freeze(profile) as Profile;
});

/** Computes the result for the newest release once, because reviews and writes of Services read it each time. */
function cacheNewest<Result>(compute: (version: string) => Result): (version?: string) => Result {
  let ofNewest: Result | undefined;
  return (version = newest) => {
    if (version !== newest) return compute(version);
    ofNewest ??= compute(newest);
    return ofNewest;
  };
}

/** The releases in which a gate turns on and off. */
export type GateEdges = Pick<Gate, 'since' | 'backports' | 'until' | 'untilBackports'>;

/** Whether a gate is on in a release. */
export const isOpen = (gate: GateEdges, release: Release): boolean => isOpenAt(readGate(gate), release);

/**
 * Parses a table of gates once. The returned function lists which of them are on in a release.
 * @returns a function that throws a RangeError naming the accepted range
 */
export function gateTable<Name extends string>(
  table: Readonly<Record<Name, GateEdges>>,
): (version?: string) => Readonly<Record<Name, boolean>> {
  const parsedRows = readRows(table);
  return cacheNewest((version) => {
    const release = parseRelease(version);
    const entries = parsedRows.map(({ name, gate }) => [name, isOpenAt(gate, release)] as const);
    return Object.freeze(Object.fromEntries(entries) as Record<Name, boolean>);
  });
}

/** A gate with its releases parsed. */
interface ParsedGate {
  readonly opened: readonly Release[];
  readonly closed: readonly Release[];
}

const readGate = ({ since, backports = [], until, untilBackports = [] }: GateEdges): ParsedGate => ({
  opened: [since, ...backports].map(parseRelease),
  closed: until === undefined ? [] : [until, ...untilBackports].map(parseRelease),
});

const readRows = (table: Readonly<Record<string, GateEdges>>): readonly { readonly name: string; readonly gate: ParsedGate }[] =>
  Object.entries(table).map(([name, gate]) => ({ name, gate: readGate(gate) }));

const rows = /* @__PURE__ */ readRows(gates);

const isOpenAt = ({ opened, closed }: ParsedGate, release: Release): boolean => hasReached(opened, release) && !hasReached(closed, release);

/** Whether `release` is `since` or later, or contains the change through a backport to its own minor. */
function hasReached([since, ...backports]: readonly Release[], release: Release): boolean {
  if (!since) return false;
  return isAtLeast(release, since) || backports.some(({ minor, patch }) => minor === release.minor && release.patch >= patch);
}
