import { type GateName, gates, profileFor } from '../../src/versions/index.ts';
import { formatRelease, parseRelease } from '../../src/versions/releases.ts';

/** Every release at which a gate opens or closes, and its predecessor. */
export function edges(): string[] {
  const named = Object.values(gates).flatMap(({ since, backports = [], until, untilBackports = [] }) => [
    since,
    ...backports,
    ...(until ? [until] : []),
    ...untilBackports,
  ]);
  const around = named
    .map(parseRelease)
    .flatMap(({ minor, patch }) => [
      { minor, patch },
      ...(patch > 0 ? [{ minor, patch: patch - 1 }] : minor > 17 ? [{ minor: minor - 1, patch: Number.POSITIVE_INFINITY }] : []),
    ]);
  return [...new Set(around.map(formatRelease))];
}

/** One version per distinct set of gates: what holds for these versions holds for every release. */
export const versions: readonly string[] = oneOfEach(['1.17', ...edges(), '1.37'], Object.keys(gates) as GateName[]);

const gatesOfSlices = (Object.keys(gates) as GateName[]).filter((name) => {
  const { stage, also = [] } = gates[name];
  return stage === 'slices' || stage === 'hints' || also.includes('slices');
});

/** The same for EndpointSlices, which are computed from 1.21 on. */
export const sliceVersions: readonly string[] = oneOfEach(
  versions.filter((version) => profileFor(version).slicesAreV1),
  gatesOfSlices,
);

function oneOfEach(candidates: readonly string[], names: readonly GateName[]): string[] {
  const known = new Map<string, string>();
  for (const candidate of candidates) {
    const profile = profileFor(candidate);
    known.set(JSON.stringify(names.map((name) => profile[name])), candidate);
  }
  return [...known.values()].sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
}
