import type { Auditor } from './auditor.ts';
import type { Random } from './random.ts';
import type { RunContext } from './run-context.ts';

/** Compacts the event log, ends watches and advances the clock in random order, as far as the subject supports it. */
export async function disturb(
  { subject, versions, newestVersion, yieldRandomly }: RunContext,
  auditors: readonly Auditor[],
  random: Random,
  times: number,
): Promise<void> {
  for (let time = 0; time < times; time++) {
    for (let yields = random.below(20); yields > 0; yields--) await yieldRandomly(random);
    const action = random.pickWeighted({ compact: 2, drop: 1, pass: 3 });
    if (action === 'compact') subject.compact?.(random.chance(0.5) ? newestVersion() - random.below(10) : random.pick(versions));
    else if (action === 'pass') subject.passTime?.(random.pick([1000, 30_000, 61_000]));
    else if (subject.dropWatches) {
      // The auditors restart at this version, so that they miss no event.
      const version = newestVersion();
      subject.dropWatches();
      for (const auditor of auditors) auditor.reopen(version);
    }
  }
}
