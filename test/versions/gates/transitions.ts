import { expect } from 'vitest';
import { type GateName, gates, profileFor } from '../../../src/versions/index.ts';
import { formatRelease, parseRelease } from '../../../src/versions/releases.ts';

/** Returns the pairs of consecutive releases between which the gate opens or closes. @throws if there are none */
export function findTransitions(name: GateName): { readonly closed: string; readonly open: string }[] {
  const { since, backports = [], until, untilBackports = [] } = gates[name];
  const pairs = [since, ...backports, ...(until === undefined ? [] : [until]), ...untilBackports].map(
    (version) => [releaseBefore(version), version] as const,
  );
  const transitions = pairs.filter(([earlier, later]) => profileFor(earlier)[name] !== profileFor(later)[name]);
  expect(transitions.length).toBeGreaterThan(0);
  return transitions.map(([earlier, later]) =>
    profileFor(earlier)[name] ? { closed: later, open: earlier } : { closed: earlier, open: later },
  );
}

function releaseBefore(version: string): string {
  const { minor, patch } = parseRelease(version);
  return formatRelease(patch > 0 ? { minor, patch: patch - 1 } : { minor: minor - 1, patch: Number.POSITIVE_INFINITY });
}
