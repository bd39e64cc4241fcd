import type { Due } from './judge.ts';
import type { Fault, FaultRule } from './rule.ts';

/** A fault that was injected. */
export interface InjectedFault {
  /** As it was, with everything drawn. */
  readonly fault: Fault;
  /** The rule by which it happens at the same place again. */
  readonly rule: FaultRule;
  /** What it happened to: "update pods shop/web"; empty where it was commanded. */
  readonly call: string;
  /** Milliseconds since the faults were made. */
  readonly at: number;
}

/** What was injected, as far as it is kept. */
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
