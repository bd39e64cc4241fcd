/** The first and the last Kubernetes minor release that this package specifies. Some modules start with a later release. */
export const firstMinor = 9;
export const lastMinor = 37;

/** The last patch release of every minor release that is out of support. */
export const lastPatch: Readonly<Record<number, number>> = {
  9: 11,
  10: 13,
  11: 10,
  12: 10,
  13: 12,
  14: 10,
  15: 12,
  16: 15,
  17: 17,
  18: 20,
  19: 16,
  20: 15,
  21: 14,
  22: 17,
  23: 17,
  24: 17,
  25: 16,
  26: 15,
  27: 16,
  28: 15,
  29: 15,
  30: 14,
  31: 14,
  32: 13,
  33: 13,
};

/** A Kubernetes release. A `patch` of Infinity means the last patch release of this minor, whichever that is. */
export interface Release {
  readonly minor: number;
  readonly patch: number;
}

const pattern = /^1\.(0|[1-9]\d{0,2})(?:\.(0|[1-9]\d{0,4}))?$/;

/**
 * Parses "1.29" (its last patch release) or "1.29.6".
 * @param first the first minor release to accept
 * @throws RangeError naming the accepted range for anything else
 */
export function parseRelease(version: string, first: number = firstMinor): Release {
  const match = typeof version === 'string' ? pattern.exec(version) : null;
  const minor = Number(match?.[1]);
  if (!match || minor < first || minor > lastMinor) throw new RangeError(describeUnknownVersion(version, first));
  const patch = match[2] === undefined ? Number.POSITIVE_INFINITY : Number(match[2]);
  const lastPatchOfMinor = lastPatch[minor];
  if (lastPatchOfMinor !== undefined && patch !== Number.POSITIVE_INFINITY && patch > lastPatchOfMinor) {
    throw new RangeError(
      `${describeUnknownVersion(version, first)}; the last patch release of 1.${minor} is 1.${minor}.${lastPatchOfMinor}`,
    );
  }
  return { minor, patch };
}

/** "1.29" or "1.29.6", the format that `parseRelease` reads. */
export const formatRelease = ({ minor, patch }: Release): string =>
  patch === Number.POSITIVE_INFINITY ? `1.${minor}` : `1.${minor}.${patch}`;

/** Whether release `a` is `b` or later, by version number. */
export const isAtLeast = (a: Release, b: Release): boolean => a.minor > b.minor || (a.minor === b.minor && a.patch >= b.patch);

const describeUnknownVersion = (version: unknown, first: number): string =>
  `Kubernetes version ${JSON.stringify(version) ?? String(version)} is not known: give "1.${first}" to "1.${lastMinor}", or a patch release of one, such as "1.${lastMinor}.0"`;
