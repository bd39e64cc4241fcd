import { type Gate, type GateName, gates } from './gates.ts';
import { formatRelease, isAtLeast, lastMinor, parseRelease, type Release } from './releases.ts';

/** The behaviour of one release: whether each gate of the table is on. Frozen. */
export type Profile = Readonly<Record<GateName, boolean>> & { readonly version: string };

/** The newest minor release that this package specifies; the default of every `version` option. */
export const newest: string = `1.${lastMinor}`;

/**
 * Returns the profile of a release.
 * @param version "1.9" to "1.37" (the last patch release of that minor) or a patch release such as "1.29.6"
 * @throws RangeError naming the accepted range
 */
export const profileFor: (version?: string) => Profile = /* @__PURE__ */ cacheNewest((version) => {
  const release = parseRelease(version);
  const profile: Record<string, boolean | string> = { version: formatRelease(release) };
  for (const { name, gate } of rows) profile[name] = isOnIn(gate, release);
  return Object.freeze(profile) as Profile;
});

/** Computes the result for the newest release once, because reviews and writes of Services read it each time. */
function cacheNewest<Result>(compute: (version: string) => Result): (version?: string) => Result {
  let newestResult: Result | undefined;
  return (version = newest) => {
    if (version !== newest) return compute(version);
    newestResult ??= compute(newest);
    return newestResult;
  };
}

/** The releases in which a gate turns on and off. */
export type GateEdges = Pick<Gate, 'since' | 'backports' | 'until' | 'untilBackports'>;

/** Whether a gate is on in a release. */
export const isOpen = (gate: GateEdges, release: Release): boolean => isOnIn(parseGate(gate), release);

/**
 * Parses a table of gates once. The returned function lists which of them are on in a release.
 * @param firstMinor the first minor release that the table describes
 * @returns a function that throws a RangeError naming the accepted range
 */
export function createGateLookup<Name extends string>(
  table: Readonly<Record<Name, GateEdges>>,
  firstMinor: number,
): (version?: string) => Readonly<Record<Name, boolean>> {
  const parsedRows = parseRows(table);
  return cacheNewest((version) => {
    const release = parseRelease(version, firstMinor);
    const entries = parsedRows.map(({ name, gate }) => [name, isOnIn(gate, release)] as const);
    return Object.freeze(Object.fromEntries(entries) as Record<Name, boolean>);
  });
}

/** A gate with its parsed releases: the minor release of a change, then the patch releases of its backports. */
interface ParsedGate {
  readonly openedIn: readonly Release[];
  readonly closedIn: readonly Release[];
}

const parseGate = ({ since, backports = [], until, untilBackports = [] }: GateEdges): ParsedGate => ({
  openedIn: [since, ...backports].map((release) => parseRelease(release)),
  closedIn: until === undefined ? [] : [until, ...untilBackports].map((release) => parseRelease(release)),
});

const parseRows = (table: Readonly<Record<string, GateEdges>>): readonly { readonly name: string; readonly gate: ParsedGate }[] =>
  Object.entries(table).map(([name, gate]) => ({ name, gate: parseGate(gate) }));

const rows = /* @__PURE__ */ parseRows(gates);

const isOnIn = ({ openedIn, closedIn }: ParsedGate, release: Release): boolean =>
  hasReached(openedIn, release) && !hasReached(closedIn, release);

/** Whether `release` is `since` or later, or contains the change through a backport to its own minor. */
function hasReached([since, ...backports]: readonly Release[], release: Release): boolean {
  if (!since) return false;
  return isAtLeast(release, since) || backports.some(({ minor, patch }) => minor === release.minor && release.patch >= patch);
}
