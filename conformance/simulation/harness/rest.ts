import { resources } from 'kube-endpoints/port';
import type { Fleet } from './fleet.ts';
import type { Stage } from './stage.ts';

/** What it is in one simulation that all is at rest. */
export interface Rest {
  readonly fleet: Fleet;
  /** What has to be so before replicas can come to rest. */
  readonly prepare?: () => Promise<void>;
  /** Ends what goes wrong around them, now that nothing happens to them any more. */
  readonly mend?: () => Promise<void>;
  /** How long there may be no rest, in milliseconds. */
  readonly patience: number;
  /** How often it is looked whether something has happened. */
  readonly round: number;
  /** How long nothing may happen before all is taken to be at rest. */
  readonly quiet: number;
  /** How far things have come in the world. */
  readonly progress: () => string | number;
  /** What the world, beside replicas, still waits for. */
  readonly waitsFor?: () => string | undefined;
  /** What is not as it should be once all is at rest. */
  readonly check: () => readonly string[];
  /** How long nothing happens after that where no Leases are renewed. */
  readonly aftermath: number;
  /** What there must be none of then. */
  readonly changes: string;
}

/** Nothing goes wrong any more: all becomes what it should be, and then nothing is done. */
export async function comeToRest(stage: Stage, rest: Rest): Promise<void> {
  const { setting, scheduler, trace, problems, counts } = stage;
  const { fleet, prepare, mend } = rest;
  trace.note('', 'all faults end');
  // nothing is waited for that is not there: a turn more or less, and the same seed is another run
  if (prepare) await prepare();
  fleet.calm(setting.random);
  if (mend) await mend();
  const rested = await untilQuiet(stage, rest);
  trace.note('', 'all is at rest');
  if (problems.length > 0) return;
  if (!rested) problems.push(`there is no rest: ${whyNot(stage, rest)}`);
  problems.push(...rest.check());
  for (const { name, stoppedAt, ended } of fleet.alive()) {
    if (stoppedAt !== undefined && !ended) problems.push(`${name} does not end`);
  }
  if (problems.length > 0) return;
  trace.note('', 'all is as it should be; the watches end, and time passes');
  const { changes } = counts;
  stage.dropWatches();
  await scheduler.advance(setting.mode === 'alone' ? rest.aftermath : 60_000);
  requireOneOwner(stage, fleet);
  if (counts.changes > changes) problems.push(`${counts.changes - changes} ${rest.changes} where nothing had changed`);
}

/** No two processes may take a Service for theirs. One that stands still does nothing of what it believes. */
export function requireOneOwner({ chronicle, problems }: Stage, fleet: Fleet): void {
  const running = fleet.alive().filter(({ life }) => life.state === 'running');
  if (running.length < 2) return;
  for (const key of chronicle.keys(resources.services)) {
    const owners = running.filter(({ ownership }) => ownership.owns(key));
    if (owners.length > 1) problems.push(`${key} is owned by ${owners.map(({ name }) => name).join(' and ')}`);
  }
}

async function untilQuiet(stage: Stage, rest: Rest): Promise<boolean> {
  const { setting, scheduler, problems } = stage;
  const { fleet, patience, round } = rest;
  let quiet = 0;
  for (let left = patience; left > 0 && problems.length === 0; left -= round) {
    // whoever was about to end when the faults did is replaced
    fleet.tend(setting.random, 100);
    const before = stateOf(stage, rest);
    await scheduler.advance(round);
    requireOneOwner(stage, fleet);
    quiet = before === stateOf(stage, rest) && whyNot(stage, rest) === undefined ? quiet + round : 0;
    if (quiet >= rest.quiet) return true;
  }
  return false;
}

/** Who is there, and what was done so far. */
const stateOf = ({ counts }: Stage, { fleet, progress }: Rest): string =>
  [...fleet.alive().map(({ name }) => name), counts.changes, progress()].join(' ');

/** What somebody still waits for. */
function whyNot({ chronicle, counts }: Stage, { fleet, waitsFor }: Rest): string | undefined {
  if (counts.underWay > 0) return `${counts.underWay} writes are under way`;
  for (const { name, controller, witness, stoppedAt } of fleet.alive()) {
    if (stoppedAt !== undefined) return `${name} has not ended`;
    if (!controller.ready) return `${name} is not ready`;
    if (!controller.idle) return `${name} is at work`;
    for (const [plural, seen] of Object.entries(witness.view)) {
      const latest = chronicle.latest({ plural });
      if (seen < latest) return `${name} has not heard of ${plural} of ${latest}`;
    }
  }
  for (const key of chronicle.keys(resources.services)) {
    if (!fleet.alive().some(({ ownership }) => ownership.owns(key))) return `nobody owns ${key}`;
  }
  return waitsFor?.();
}
