import type { Fault, FaultRule } from './rule.ts';
import type { DueFault } from './scheduler.ts';

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
  record(due: DueFault, call: string, at: number): void;
  replay(): FaultRule[];
  report(): string;
}

export function createJournal(seed: number, maxEntries: number): Journal {
  const entries: InjectedFault[] = [];
  let dropped = 0;
  const replay = (): FaultRule[] => {
    if (dropped > 0) throw new RangeError(`faults: maxLogged ${maxEntries} is too small to replay ${dropped + entries.length} faults`);
    return entries.map(({ rule }) => rule);
  };
  return {
    entries,
    record({ fault, scope, nth }, call, at) {
      entries.push({ fault, rule: { ...fault, ...scope, when: { nth } } as FaultRule, call, at });
      if (entries.length <= maxEntries) return;
      entries.shift();
      dropped += 1;
    },
    replay,
    report() {
      const count = dropped + entries.length;
      const head = `${count} ${count === 1 ? 'fault' : 'faults'} of seed ${seed}${dropped > 0 ? `, the first ${dropped} dropped` : ''}`;
      const lines = entries.map((entry, index) => `${dropped + index + 1}. ${formatEntry(entry)}`);
      const replayHint = count === 0 || dropped > 0 ? [] : [`replay with rules: ${JSON.stringify(replay())}`];
      return [head, ...lines, ...replayHint].join('\n');
    },
  };
}

function formatEntry({ fault: { fault, ...more }, call, at }: InjectedFault): string {
  const details = Object.entries(more).map(([name, value]) => ` ${name} ${JSON.stringify(value)}`);
  return `after ${at} ms: ${fault}${details.join(',')}${call === '' ? ', injected on command' : ` at ${call}`}`;
}
