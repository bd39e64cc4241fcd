import { resources } from 'kube-endpoints/port';
import type { Fleet } from './fleet.ts';
import type { Stage } from './stage.ts';

/** How one simulation comes to rest. */
export interface Rest {
  readonly fleet: Fleet;
  /** Required before replicas can come to rest. */
  readonly prepare?: () => Promise<void>;
  /** Ends faults outside of replicas, after disturbances have ended. */
  readonly endFaults?: () => Promise<void>;
  /** The maximum time until rest, in milliseconds. */
  readonly timeoutMs: number;
  /** The interval of progress checks, in milliseconds. */
  readonly intervalMs: number;
  /** How long nothing may change before the simulation counts as at rest, in milliseconds. */
  readonly quietMs: number;
  /** A value that changes with every change in the world. */
  readonly progress: () => string | number;
  /** The reason, outside of replicas, why the world is not yet at rest. */
  readonly waitsFor?: () => string | undefined;
  /** Problems of the final state. */
  readonly check: () => readonly string[];
  /** How long nothing may change after that without Lease renewals, in milliseconds. */
  readonly aftermathMs: number;
  /** The changes that must not happen then, for messages. */
  readonly changes: string;
}

/** Ends all faults, waits until the state is final, and requires that no more changes follow. */
export async function comeToRest(stage: Stage, rest: Rest): Promise<void> {
  const { setting, scheduler, trace, problems, counts } = stage;
  const { fleet, prepare, endFaults } = rest;
  trace.note('', 'all faults end');
  // await only if defined: an extra turn would make another run of the seed
  if (prepare) await prepare();
  fleet.calm(setting.random);
  if (endFaults) await endFaults();
  const rested = await untilQuiet(stage, rest);
  trace.note('', 'all is at rest');
  if (problems.length > 0) return;
  if (!rested) problems.push(`the state does not become final: ${whyNot(stage, rest)}`);
  problems.push(...rest.check());
  for (const { name, stoppedAt, ended } of fleet.alive()) {
    if (stoppedAt !== undefined && !ended) problems.push(`${name} does not stop`);
  }
  if (problems.length > 0) return;
  trace.note('', 'all is as it should be; the watches end, and time passes');
  const { changes } = counts;
  stage.dropWatches();
  await scheduler.advance(setting.mode === 'alone' ? rest.aftermathMs : 60_000);
  requireOneOwner(stage, fleet);
  if (counts.changes > changes) problems.push(`${counts.changes - changes} ${rest.changes} after the last change`);
}

/** At most one process may own a Service. A paused process takes no action, so it does not count. */
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
  const { fleet, timeoutMs, intervalMs } = rest;
  let quiet = 0;
  for (let left = timeoutMs; left > 0 && problems.length === 0; left -= intervalMs) {
    // replaces replicas that were about to stop when the faults ended
    fleet.tend(setting.random, 100);
    const before = stateOf(stage, rest);
    await scheduler.advance(intervalMs);
    requireOneOwner(stage, fleet);
    quiet = before === stateOf(stage, rest) && whyNot(stage, rest) === undefined ? quiet + intervalMs : 0;
    if (quiet >= rest.quietMs) return true;
  }
  return false;
}

/** The replicas and the counts so far. */
const stateOf = ({ counts }: Stage, { fleet, progress }: Rest): string =>
  [...fleet.alive().map(({ name }) => name), counts.changes, progress()].join(' ');

/** The reason why the simulation is not at rest. */
function whyNot({ chronicle, counts }: Stage, { fleet, waitsFor }: Rest): string | undefined {
  if (counts.underWay > 0) return `${counts.underWay} writes are in flight`;
  for (const { name, controller, witness, stoppedAt } of fleet.alive()) {
    if (stoppedAt !== undefined) return `${name} has not stopped`;
    if (!controller.ready) return `${name} is not ready`;
    if (!controller.idle) return `${name} is not idle`;
    for (const [plural, seen] of Object.entries(witness.view)) {
      const latest = chronicle.latest({ plural });
      if (seen < latest) return `${name} has not received ${plural} at ${latest}`;
    }
  }
  for (const key of chronicle.keys(resources.services)) {
    if (!fleet.alive().some(({ ownership }) => ownership.owns(key))) return `no replica owns ${key}`;
  }
  return waitsFor?.();
}
