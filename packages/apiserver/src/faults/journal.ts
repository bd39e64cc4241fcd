import type { Due } from './judge.ts';
import type { Fault, FaultRule } from './rule.ts';

/** An injected fault. */
export interface InjectedFault {
  /** With all random values resolved. */
  readonly fault: Fault;
  /** The rule that injects the fault again at the same call. */
  readonly rule: FaultRule;
  /** The affected call, such as "update pods shop/web"; empty if the fault was injected on command. */
  readonly call: string;
  /** Milliseconds since the faults were made. */
  readonly at: number;
}

/** A log of injected faults that keeps the most recent ones. */
export interface Journal {
  readonly entries: readonly InjectedFault[];
  note(due: Due, call: string, at: number): void;
  replay(): FaultRule[];
  report(): string;
}

export function createJournal(seed: number, most: number): Journal {
  const entries: InjectedFault[] = [];
  let forgotten = 0;
  const replay = (): FaultRule[] => {
    if (forgotten > 0) throw new RangeError(`faults: maxLogged ${most} is too few to replay ${forgotten + entries.length} faults`);
    return entries.map(({ rule }) => rule);
  };
  return {
    entries,
    note({ fault, scope, nth }, call, at) {
      entries.push({ fault, rule: { ...fault, ...scope, when: { nth } } as FaultRule, call, at });
      if (entries.length <= most) return;
      entries.shift();
      forgotten += 1;
    },
    replay,
    report() {
      const count = forgotten + entries.length;
      const head = `${count} ${count === 1 ? 'fault' : 'faults'} of seed ${seed}${forgotten > 0 ? `, the first ${forgotten} not kept` : ''}`;
      const lines = entries.map((entry, index) => `${forgotten + index + 1}. ${sayEntry(entry)}`);
      const again = count === 0 || forgotten > 0 ? [] : [`again with rules: ${JSON.stringify(replay())}`];
      return [head, ...lines, ...again].join('\n');
    },
  };
}

function sayEntry({ fault: { fault, ...more }, call, at }: InjectedFault): string {
  const how = Object.entries(more).map(([name, value]) => ` ${name} ${JSON.stringify(value)}`);
  return `after ${at} ms: ${fault}${how.join(',')}${call === '' ? ', commanded' : ` at ${call}`}`;
}
