import { endpointsGates, type GateName, gates, type Profile } from '../versions/index.ts';

/** What is compared between two releases, and by which means. */
export interface Comparison<Result, Aspect extends string> {
  readonly older: Profile;
  readonly newer: Profile;
  readonly before: Result;
  readonly after: Result;
  /** Gates that can be the cause. */
  readonly gates: readonly GateName[];
  compute(profile: Profile): Result;
  differences(a: Result, b: Result): Aspect[];
}

/** Where two releases differ, each with the gates that are the cause: that make it alone, or without which it is gone. */
export function findCauses<Result, Aspect extends string>(
  comparison: Comparison<Result, Aspect>,
): { readonly what: Aspect; readonly gates: GateName[] }[] {
  const { older, newer, before, after, compute, differences } = comparison;
  const found = differences(before, after);
  if (found.length === 0) return [];
  const effects = comparison.gates
    .filter((gate) => older[gate] !== newer[gate])
    .map((gate) => ({
      gate,
      alone: differences(before, compute({ ...older, [gate]: newer[gate] })),
      without: differences(before, compute({ ...newer, [gate]: older[gate] })),
    }));
  return found.map((what) => {
    const causes = effects.filter(({ alone, without }) => alone.includes(what) || !without.includes(what));
    return { what, gates: causes.map(({ gate }) => gate) };
  });
}

const names = Object.keys(gates) as GateName[];

/** The gates that can show in Endpoints. */
export const gatesOfEndpoints: readonly GateName[] = names.filter((name) => Object.hasOwn(endpointsGates, name));

/** The gates that can show in EndpointSlices, but for the one that makes them be specified at all. */
export const gatesOfSlices: readonly GateName[] = names.filter(
  (name) =>
    name !== 'slicesAreV1' && (gates[name].stage === 'slices' || gates[name].stage === 'hints' || gates[name].also?.includes('slices')),
);
