import { type GateName, gates, profileFor } from '../../src/versions/index.ts';
import { formatRelease, parseRelease } from '../../src/versions/releases.ts';

/** Every release at which a gate opens or closes, and its predecessor. */
export function edgeReleases(): string[] {
  const changeReleases = Object.values(gates).flatMap(({ since, backports = [], until, untilBackports = [] }) => [
    since,
    ...backports,
    ...(until ? [until] : []),
    ...untilBackports,
  ]);
  const neighbours = changeReleases
    .map((release) => parseRelease(release))
    .flatMap(({ minor, patch }) => [
      { minor, patch },
      ...(patch > 0 ? [{ minor, patch: patch - 1 }] : minor > 9 ? [{ minor: minor - 1, patch: Number.POSITIVE_INFINITY }] : []),
    ]);
  return [...new Set(neighbours.map(formatRelease))];
}

/** One version per distinct set of gates: what holds for these versions holds for every release. */
export const versions: readonly string[] = pickOnePerProfile(['1.9', ...edgeReleases(), '1.37'], Object.keys(gates) as GateName[]);

const gatesOfSlices = (Object.keys(gates) as GateName[]).filter((name) => {
  const { stage, also = [] } = gates[name];
  return stage === 'slices' || stage === 'hints' || also.includes('slices');
});

/** One version per distinct set of gates that affect EndpointSlices, from 1.17 on. */
export const sliceVersions: readonly string[] = pickOnePerProfile(
  versions.filter((version) => profileFor(version).slicesAreBeta),
  gatesOfSlices,
);

function pickOnePerProfile(candidates: readonly string[], names: readonly GateName[]): string[] {
  const byProfile = new Map<string, string>();
  for (const candidate of candidates) {
    const profile = profileFor(candidate);
    byProfile.set(JSON.stringify(names.map((name) => profile[name])), candidate);
  }
  return [...byProfile.values()].sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
}
