/** What follows changes and faults, step by step. States are numbers from 0. */
export interface Recovery {
  /** Adds a step that is neither a change by a client nor a fault. */
  add(from: number, to: number, milliseconds: number): void;
  /** The longest time of steps one after another, and where they end; or a state to which the steps lead back. */
  findLongest(stateCount: number): Longest;
}

export interface Longest {
  readonly milliseconds: number;
  readonly state: number;
  /** Whether the state is one from which the steps lead back to it. */
  readonly isEndless: boolean;
}

export function createRecovery(): Recovery {
  const sources: number[] = [];
  const targets: number[] = [];
  const times: number[] = [];
  return {
    add(from, to, milliseconds) {
      sources.push(from);
      targets.push(to);
      times.push(milliseconds);
    },
    findLongest(stateCount) {
      const stepsOf = groupSteps(sources, stateCount);
      const incoming = new Uint32Array(stateCount);
      for (const target of targets) incoming[target] = (incoming[target] as number) + 1;
      const longest = new Float64Array(stateCount);
      const ready = Array.from(incoming.keys()).filter((state) => incoming[state] === 0);
      let end = 0;
      for (let state = ready.pop(); state !== undefined; state = ready.pop()) {
        if ((longest[state] as number) > (longest[end] as number)) end = state;
        for (const step of stepsOf(state)) {
          const target = targets[step] as number;
          longest[target] = Math.max(longest[target] as number, (longest[state] as number) + (times[step] as number));
          incoming[target] = (incoming[target] as number) - 1;
          if (incoming[target] === 0) ready.push(target);
        }
      }
      const unreached = incoming.findIndex((count) => count > 0);
      if (unreached < 0) return { milliseconds: longest[end] ?? 0, state: end, isEndless: false };
      return { milliseconds: Number.POSITIVE_INFINITY, state: findEndless(unreached, sources, targets, incoming), isEndless: true };
    },
  };
}

/** A state of a cycle: steps that are left over, followed backwards, lead into a cycle. */
function findEndless(first: number, sources: readonly number[], targets: readonly number[], incoming: Uint32Array): number {
  const previous = new Map<number, number>();
  for (const [step, target] of targets.entries()) {
    const source = sources[step] as number;
    if ((incoming[source] as number) > 0) previous.set(target, source);
  }
  const visited = new Set<number>();
  let state = first;
  for (; !visited.has(state); state = previous.get(state) as number) visited.add(state);
  return state;
}

/** Returns a function for the numbers of the steps from a state. */
function groupSteps(sources: readonly number[], stateCount: number): (state: number) => Uint32Array {
  const offsets = new Uint32Array(stateCount + 1);
  for (const source of sources) offsets[source + 1] = (offsets[source + 1] as number) + 1;
  for (let state = 0; state < stateCount; state++) offsets[state + 1] = (offsets[state + 1] as number) + (offsets[state] as number);
  const next = offsets.slice();
  const steps = new Uint32Array(sources.length);
  for (const [step, source] of sources.entries()) {
    steps[next[source] as number] = step;
    next[source] = (next[source] as number) + 1;
  }
  return (state) => steps.subarray(offsets[state], offsets[state + 1]);
}
