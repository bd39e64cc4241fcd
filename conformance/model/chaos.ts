import type { Auditor } from './auditor.ts';
import type { Random } from './random.ts';
import type { World } from './world.ts';

/** Compacts, ends watches and lets time pass, as far as the subject supports it. */
export async function disturb(
  { subject, versions, now, yieldRandomly: breathe }: World,
  auditors: readonly Auditor[],
  random: Random,
  times: number,
): Promise<void> {
  for (let time = 0; time < times; time++) {
    for (let rest = random.below(20); rest > 0; rest--) await breathe(random);
    const act = random.weighted({ compact: 2, drop: 1, pass: 3 });
    if (act === 'compact') subject.compact?.(random.chance(0.5) ? now() - random.below(10) : random.pick(versions));
    else if (act === 'pass') subject.passTime?.(random.pick([1000, 30_000, 61_000]));
    else if (subject.dropWatches) {
      // Auditors lose no part of the history.
      const at = now();
      subject.dropWatches();
      for (const auditor of auditors) auditor.reopen(at);
    }
  }
}
