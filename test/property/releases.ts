import { formatRelease, gates, parseRelease, profileFor } from '../../src/versions/index.ts';

/** Every release at which a gate opens or closes, and the one before it. */
export function edges(): string[] {
  const named = Object.values(gates).flatMap(({ since, backports = [], until, mended = [] }) => [
    since,
    ...backports,
    ...(until ? [until] : []),
    ...mended,
  ]);
  const around = named
    .map(parseRelease)
    .flatMap(({ minor, patch }) => [
      { minor, patch },
      ...(patch > 0 ? [{ minor, patch: patch - 1 }] : minor > 17 ? [{ minor: minor - 1, patch: Number.POSITIVE_INFINITY }] : []),
    ]);
  return [...new Set(around.map(formatRelease))];
}

/** One version for each set of gates that some release has: what holds for these holds for every release there is. */
export const versions: readonly string[] = oneOfEach(['1.17', ...edges(), '1.37']);

function oneOfEach(candidates: readonly string[]): string[] {
  const known = new Map<string, string>();
  for (const candidate of candidates) {
    const { version, ...open } = profileFor(candidate);
    known.set(JSON.stringify(open), version);
  }
  return [...known.values()].sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
}
