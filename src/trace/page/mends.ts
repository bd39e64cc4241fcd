import type { TraceStep } from '../trace.ts';

/** What would mend something, with the first place that says so. */
export interface Mend {
  readonly mend: string;
  /** The step, from 1. */
  readonly number: number;
  /** The step's title, or the label of the item that it is said of. */
  readonly about: string;
  /** How many different things it is said of. */
  readonly times: number;
}

/** Every remedy of the way once, in the order of the way. */
export function mendsOf(steps: readonly TraceStep[]): Mend[] {
  const found = new Map<string, { readonly first: Omit<Mend, 'times'>; readonly things: Set<string> }>();
  for (const { mend, number, about, thing } of steps.flatMap(remediesOf)) {
    const known = found.get(mend);
    if (known) known.things.add(thing);
    else found.set(mend, { first: { mend, number, about }, things: new Set([thing]) });
  }
  return [...found.values()].map(({ first, things }) => ({ ...first, times: things.size }));
}

interface Remedy extends Omit<Mend, 'times'> {
  readonly thing: string;
}

function remediesOf(step: TraceStep, index: number): Remedy[] {
  const number = index + 1;
  const own = { about: step.title, thing: `step ${number}`, notes: step.notes };
  const items = [...step.chosen, ...step.leftOut].map(({ id, label, notes }) => ({ about: label, thing: `item ${id}`, notes }));
  return [own, ...items].flatMap(({ about, thing, notes }) =>
    notes.flatMap(({ mend }) => (mend === undefined ? [] : [{ mend, number, about, thing }])),
  );
}
