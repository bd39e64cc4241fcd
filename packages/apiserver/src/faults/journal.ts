import type { Fault, FaultRule } from './rule.ts';
import type { DueFault } from './scheduler.ts';

/** An injected fault. */
export interface InjectedFault {
  /** The fault with all random values resolved. */
  readonly fault: Fault;
  /** The rule that injects the fault again at the same call. */
  readonly rule: FaultRule;
  /** The affected call, such as "update pods shop/web"; empty if the fault was injected on command. */
  readonly call: string;
  /** Milliseconds since `createFaults` was called. */
  readonly at: number;
}

/** A log of injected faults that keeps the most recent ones. */
export interface Journal {
  readonly entries: readonly InjectedFault[];
  /** @param at milliseconds since `createFaults` was called */
  record(due: DueFault, call: string, at: number): void;
  /** @throws RangeError if entries were dropped */
  replay(): FaultRule[];
  report(): string;
}

export function createJournal(seed: number, maxEntries: number): Journal {
  const entries: InjectedFault[] = [];
  let droppedCount = 0;
  const replay = (): FaultRule[] => {
    if (droppedCount > 0)
      throw new RangeError(`faults: maxLogged ${maxEntries} is too small to replay ${droppedCount + entries.length} faults`);
    return entries.map(({ rule }) => rule);
  };
  return {
    entries,
    record({ fault, scope, nth }, call, at) {
      entries.push({ fault, rule: { ...fault, ...scope, when: { nth } } as FaultRule, call, at });
      if (entries.length <= maxEntries) return;
      entries.shift();
      droppedCount += 1;
    },
    replay,
    report() {
      const count = droppedCount + entries.length;
      const summary = `${count} ${count === 1 ? 'fault' : 'faults'} of seed ${seed}${droppedCount > 0 ? `, the first ${droppedCount} dropped` : ''}`;
      const lines = entries.map((entry, index) => `${droppedCount + index + 1}. ${formatEntry(entry)}`);
      const replayHint = count === 0 || droppedCount > 0 ? [] : [`replay with rules: ${JSON.stringify(replay())}`];
      return [summary, ...lines, ...replayHint].join('\n');
    },
  };
}

function formatEntry({ fault: { fault, ...parameters }, call, at }: InjectedFault): string {
  const details = Object.entries(parameters).map(([name, value]) => ` ${name} ${JSON.stringify(value)}`);
  return `after ${at} ms: ${fault}${details.join(',')}${call === '' ? ', injected on command' : ` at ${call}`}`;
}
