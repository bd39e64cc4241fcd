import { firstMinor, lastMinor, lastPatch } from '../../../src/versions/releases.ts';

/** A change in kubernetes/kubernetes: the first release with it, and the first patch release with each of its backports. */
export interface Change {
  readonly since: string;
  readonly backports?: readonly string[];
  readonly what: string;
}

export type Changes = Readonly<Record<string, Change>>;

/** The last patch release assumed for minor releases that are still maintained. */
const assumedLastPatch = 15;

/** Every release, oldest first: "1.9.0" to the newest. */
export const allReleases: readonly string[] = Array.from({ length: lastMinor - firstMinor + 1 }, (_, i) => firstMinor + i).flatMap(
  (minor) => Array.from({ length: (lastPatch[minor] ?? assumedLastPatch) + 1 }, (_, patch) => `1.${minor}.${patch}`),
);

const positions: ReadonlyMap<string, number> = new Map(allReleases.map((each, position) => [each, position]));
const areConsecutive = (previous: string, next: string): boolean => (positions.get(previous) ?? 0) + 1 === positions.get(next);

/** A number that sorts releases: 21003 for "1.21.3". */
const numberOf = (release: string): number => {
  const [, minor = Number.NaN, patch = 0] = release.split('.').map(Number);
  return minor * 1000 + patch;
};

const isUpTo = (release: string, last: string): boolean =>
  last.split('.').length === 2 ? numberOf(release) < numberOf(last) + 1000 : numberOf(release) <= numberOf(last);

/** Whether a release has a change: a backport counts for the rest of its minor release. */
function hasChange(release: string, { since, backports = [] }: Change): boolean {
  const isSameMinor = (other: string): boolean => other.split('.')[1] === release.split('.')[1];
  return [since, ...backports].some((first) => (first === since || isSameMinor(first)) && numberOf(release) >= numberOf(first));
}

const releasePattern = String.raw`1\.\d+(?:\.\d+)?`;
const rangePattern = new RegExp(`^(${releasePattern}) - (${releasePattern})$`);
const sinceOrBeforePattern = new RegExp(String.raw`^(since|before) (?:(${releasePattern})|(\d+(?: \w+)?))$`);

/**
 * Parses a key of `expect`: "always", "since 1.21", "before 1.21", "1.21 - 1.26", "since 110255", "before 110255", or several of these,
 * separated by commas.
 * @returns a function that tests a release
 * @throws Error for any other text
 */
export function parseReleases(text: string, changes: Changes): (release: string) => boolean {
  const conditions = text.split(', ').map((condition): ((release: string) => boolean) => {
    if (condition === 'always') return () => true;
    const [, first, last] = rangePattern.exec(condition) ?? [];
    if (first && last) return (each) => numberOf(each) >= numberOf(first) && isUpTo(each, last);
    const [, word, from, number] = sinceOrBeforePattern.exec(condition) ?? [];
    const change = number === undefined ? from && { since: from, what: '' } : changes[number];
    if (!word || !change) {
      throw new Error(
        `"${condition}" names no releases: write always, since X, before X (a release, or a change of changes.yaml) or A - B`,
      );
    }
    return (each) => hasChange(each, change) === (word === 'since');
  });
  return (each) => conditions.every((holds) => holds(each));
}

/** The first and last release of each contiguous range; with `full`, also the first and last of each of its minor releases. */
export function findEdges(releases: readonly string[], full: boolean): string[] {
  const minorOf = (each: string | undefined): string | undefined => each?.split('.')[1];
  return releases.filter((each, i) => {
    const [previous, next] = [releases[i - 1], releases[i + 1]];
    const isFirst = !previous || !areConsecutive(previous, each);
    const isLast = !next || !areConsecutive(each, next);
    return isFirst || isLast || (full && (minorOf(previous) !== minorOf(each) || minorOf(next) !== minorOf(each)));
  });
}
