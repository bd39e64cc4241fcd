import type { TrafficVerdict } from 'kube-endpoints/policy';
import type { Difference } from '../conform.ts';
import { type DirectionName, directions, type Engine, engines, type PolicyAnswer, type PolicyWorld } from './case.ts';
import { choices, type Deviation, deviations, type Situation } from './deviations.ts';
import { replayProbe } from './replay.ts';

/** The comparison of a world: how many directions of probes are equal, open or explained, and the first difference that nothing explains. */
export interface Comparison {
  /** By "ENGINE: CLASS": "equal", "open CODE", "not evaluated", or the name of a deviation. */
  readonly counts: Readonly<Record<string, number>>;
  readonly difference: Difference | undefined;
}

/** Compares the verdicts of the engines with those of the library, each direction of each probe. */
export function comparePolicy(world: PolicyWorld, { probes }: PolicyAnswer): Comparison {
  const counts: Record<string, number> = {};
  let difference: Difference | undefined;
  for (const [i, probe] of world.probes.entries()) {
    for (const engine of engines) {
      const theirs = probes[i]?.[engine];
      const situation = { world, probe };
      const ours = replayProbe(situation, engine);
      for (const direction of directions) {
        const path = `${engine}, probe ${i}, ${direction}`;
        const classes =
          !theirs || theirs.error !== undefined ? ['not evaluated'] : classify(situation, engine, direction, theirs[direction], ours);
        for (const name of classes) counts[`${engine}: ${name}`] = (counts[`${engine}: ${name}`] ?? 0) + 1;
        if (classes.length === 0) difference ??= { path, theirs: theirs?.[direction], ours: { probe, ...ours[direction] } };
      }
    }
  }
  return { counts, difference };
}

/**
 * The classes of a direction of a probe; empty if nothing explains a difference. An open question is one if the library agrees after all
 * choices and deviations of the engine.
 */
function classify(situation: Situation, engine: Engine, direction: DirectionName, theirs: boolean, ours: TrafficVerdict): string[] {
  const { allowed, reasons } = ours[direction];
  if (allowed === theirs) return ['equal'];
  const [own, open] = [deviations, choices].map((list) => list.filter(({ engines: names }) => names.includes(engine)));
  const explains = (list: readonly Deviation[] = []): boolean => {
    const changed = list.reduce((each, { rewrite }) => rewrite(each, direction), situation);
    return replayProbe(changed, engine)[direction].allowed === theirs;
  };
  const all = [...(own ?? []), ...(open ?? [])];
  if (allowed === 'unknown') return explains(all) ? [`open ${reasons[0]?.code}`] : [];
  const single = own?.find((each) => explains([each]));
  if (single) return [single.name];
  return explains(all) ? ['several deviations'] : [];
}
