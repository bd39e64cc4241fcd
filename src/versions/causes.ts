/** The inputs of a comparison between two releases. */
export interface Comparison<Name extends string, Gates extends Readonly<Record<Name, boolean>>, Result, Aspect extends string> {
  readonly older: Gates;
  readonly newer: Gates;
  readonly before: Result;
  readonly after: Result;
  /** Gates that can cause differences. */
  readonly gates: readonly Name[];
  compute(gates: Gates): Result;
  findAspects(a: Result, b: Result): Aspect[];
}

/**
 * Lists the differences between two releases, each with the gates that cause it. A gate causes a difference if changing only this gate in
 * the older release produces the difference, or if changing it back in the newer release removes the difference.
 */
export function findCauses<Name extends string, Gates extends Readonly<Record<Name, boolean>>, Result, Aspect extends string>(
  comparison: Comparison<Name, Gates, Result, Aspect>,
): { readonly what: Aspect; readonly gates: Name[] }[] {
  const { older, newer, before, after, compute, findAspects } = comparison;
  const aspects = findAspects(before, after);
  if (aspects.length === 0) return [];
  const effects = comparison.gates
    .filter((gate) => older[gate] !== newer[gate])
    .map((gate) => ({
      gate,
      aspectsWithGate: new Set(findAspects(before, compute({ ...older, [gate]: newer[gate] }))),
      aspectsWithoutGate: new Set(findAspects(before, compute({ ...newer, [gate]: older[gate] }))),
    }));
  return aspects.map((what) => {
    const causes = effects.filter(({ aspectsWithGate, aspectsWithoutGate }) => aspectsWithGate.has(what) || !aspectsWithoutGate.has(what));
    return { what, gates: causes.map(({ gate }) => gate) };
  });
}

/** The names of the gates in a table. */
export const namesOfGates = <Name extends string>(table: Readonly<Record<Name, unknown>>): readonly Name[] => Object.keys(table) as Name[];
