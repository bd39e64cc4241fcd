import { checkFeatureGates, type FeatureGates, type FeatureName, features, reaches } from './features.ts';
import { type FeatureSwitch, type Gate, type GateName, gateRows } from './gates.ts';
import { formatRelease, isAtLeast, lastMinor, parseRelease, type Release } from './releases.ts';

/** The behaviour of one release: whether each gate of the table is on. Frozen. */
export type Profile = Readonly<Record<GateName, boolean>> & { readonly version: string };

/** The newest minor release that this package specifies; the default of every `version` option. */
export const newest: string = `1.${lastMinor}`;

/**
 * Returns the profile of a release.
 * @param version "1.9" to "1.37" (the last patch release of that minor) or a patch release such as "1.29.6"
 * @param featureGates feature gates that differ from the defaults of the release
 * @throws RangeError naming the accepted range, or a feature gate that the release does not have or that is locked
 */
export const profileFor: (version?: string, featureGates?: FeatureGates) => Profile = /* @__PURE__ */ cacheNewest(
  (version, featureGates) => {
    const release = parseRelease(version);
    return Object.freeze({ version: formatRelease(release), ...evaluate(rows, release, featureGates) }) as Profile;
  },
);

/** Computes the result for the newest release once, because reviews and writes of Services read it each time. */
function cacheNewest<Result>(
  compute: (version: string, featureGates?: FeatureGates) => Result,
): (version?: string, featureGates?: FeatureGates) => Result {
  let newestResult: Result | undefined;
  return (version = newest, featureGates = undefined) => {
    if (version !== newest || featureGates) return compute(version, featureGates);
    newestResult ??= compute(newest);
    return newestResult;
  };
}

/** The releases in which a gate turns on and off, and the feature gate that decides in some of them. */
export type GateEdges = Pick<Gate, 'since' | 'backports' | 'until' | 'untilBackports' | 'feature'>;

/** Whether a gate is on in a release. */
export const isOpen = (gate: GateEdges, release: Release): boolean => isOnIn(parseGate(gate), release);

/**
 * Parses a table of gates once. The returned function lists which of them are on in a release.
 * @param firstMinor the first minor release that the table describes
 * @returns a function that throws a RangeError naming the accepted range, or an invalid feature gate
 */
export function createGateLookup<Name extends string>(
  table: Readonly<Record<Name, GateEdges>>,
  firstMinor: number,
): (version?: string, featureGates?: FeatureGates) => Readonly<Record<Name, boolean>> {
  const parsedRows = parseRows(table);
  return cacheNewest((version, featureGates) =>
    Object.freeze(evaluate(parsedRows, parseRelease(version, firstMinor), featureGates) as Record<Name, boolean>),
  );
}

/** A gate with its parsed releases: the minor release of a change, then the patch releases of its backports. */
interface ParsedGate {
  readonly feature: FeatureSwitch | undefined;
  readonly openedIn: readonly Release[];
  readonly closedIn: readonly Release[];
}

const parseGate = ({ since, backports = [], until, untilBackports = [], feature }: GateEdges): ParsedGate => ({
  openedIn: [since, ...backports].map((release) => parseRelease(release)),
  closedIn: until === undefined ? [] : [until, ...untilBackports].map((release) => parseRelease(release)),
  feature,
});

type ParsedRows = readonly { readonly name: string; readonly gate: ParsedGate }[];

const parseRows = (table: Readonly<Record<string, GateEdges>>): ParsedRows =>
  Object.entries(table).map(([name, gate]) => ({ name, gate: parseGate(gate) }));

const rows = /* @__PURE__ */ parseRows(gateRows);

/** @throws RangeError naming an invalid feature gate */
function evaluate(rows: ParsedRows, release: Release, featureGates: FeatureGates | undefined): Record<string, boolean> {
  if (featureGates) checkFeatureGates(featureGates, release);
  return Object.fromEntries(rows.map(({ name, gate }) => [name, isOnWith(gate, release, featureGates)]));
}

function isOnWith(gate: ParsedGate, release: Release, featureGates: FeatureGates | undefined): boolean {
  const name = gate.feature && findDecidingFeature(gate.feature, release);
  const value = name && featureGates?.[name];
  if (value === undefined) return isOnIn(gate, release);
  return value !== (gate.feature?.inverted ?? false) && !hasReached(gate.closedIn, release);
}

const findDecidingFeature = ({ name, from = features[name].since, earlier }: FeatureSwitch, release: Release): FeatureName | undefined =>
  reaches(release, from) ? name : earlier;

const isOnIn = ({ openedIn, closedIn }: ParsedGate, release: Release): boolean =>
  hasReached(openedIn, release) && !hasReached(closedIn, release);

/** Whether `release` is `since` or later, or contains the change through a backport to its own minor. */
function hasReached([since, ...backports]: readonly Release[], release: Release): boolean {
  if (!since) return false;
  return isAtLeast(release, since) || backports.some(({ minor, patch }) => minor === release.minor && release.patch >= patch);
}
