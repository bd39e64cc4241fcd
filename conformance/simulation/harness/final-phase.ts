import { resources } from 'kube-endpoints/port';
import type { SimulationContext } from './context.ts';
import type { Fleet } from './fleet.ts';

/** The last phase of a simulation: without faults, until nothing changes any more. */
export interface FinalPhaseOptions {
  readonly fleet: Fleet;
  /** Called first, to remove causes of endless activity. */
  readonly prepare?: () => Promise<void>;
  /** Ends the faults outside of replicas, after the disturbances of replicas have ended. */
  readonly endFaults?: () => Promise<void>;
  /** The maximum time until nothing changes any more. */
  readonly timeoutMs: number;
  /** The interval of progress checks. */
  readonly intervalMs: number;
  /** The time without changes after which the state counts as final. */
  readonly quietMs: number;
  /** A value that changes with every change in the cluster. */
  readonly progress: () => string | number;
  /** Describes pending work outside of replicas; undefined if there is none. */
  readonly findPendingWork?: () => string | undefined;
  /** Returns the problems of the final state. */
  readonly check: () => readonly string[];
  /** The time after the final state in which nothing may change, if no Leases are renewed. */
  readonly idleCheckMs: number;
  /** The name of these changes in messages, in the plural. */
  readonly changeNoun: string;
}

/** Ends all faults, waits until the state is final, and requires that no more changes follow. */
export async function runFinalPhase(context: SimulationContext, options: FinalPhaseOptions): Promise<void> {
  const { settings, scheduler, trace, problems, counts } = context;
  const { fleet, prepare, endFaults } = options;
  trace.log('', 'all faults end');
  // Awaits only if defined: an extra turn of the event loop would change the run of the seed.
  if (prepare) await prepare();
  fleet.endFaults(settings.random);
  if (endFaults) await endFaults();
  const isQuiet = await waitUntilQuiet(context, options);
  trace.log('', 'nothing changes any more');
  if (problems.length > 0) return;
  if (!isQuiet) problems.push(`the state does not become final: ${reasonForActivity(context, options)}`);
  problems.push(...options.check());
  for (const { name, stoppedAt, ended } of fleet.liveReplicas()) {
    if (stoppedAt !== undefined && !ended) problems.push(`${name} does not stop`);
  }
  if (problems.length > 0) return;
  trace.log('', 'the final state is correct; all watches end, and time passes');
  const { changeCount } = counts;
  context.dropWatches();
  await scheduler.advance(settings.mode === 'alone' ? options.idleCheckMs : 60_000);
  requireOneOwner(context, fleet);
  if (counts.changeCount > changeCount) problems.push(`${counts.changeCount - changeCount} ${options.changeNoun} after the last change`);
}

/** Adds a problem if several processes own the same Service. A paused process takes no action, so it does not count. */
export function requireOneOwner({ history, problems }: SimulationContext, fleet: Fleet): void {
  const runningReplicas = fleet.liveReplicas().filter(({ lifecycle }) => lifecycle.state === 'running');
  if (runningReplicas.length < 2) return;
  for (const key of history.keys(resources.services)) {
    const owners = runningReplicas.filter(({ ownership }) => ownership.owns(key));
    if (owners.length > 1) problems.push(`${key} is owned by ${owners.map(({ name }) => name).join(' and ')}`);
  }
}

async function waitUntilQuiet(context: SimulationContext, options: FinalPhaseOptions): Promise<boolean> {
  const { settings, scheduler, problems } = context;
  const { fleet, timeoutMs, intervalMs } = options;
  let quietSoFarMs = 0;
  for (let remainingMs = timeoutMs; remainingMs > 0 && problems.length === 0; remainingMs -= intervalMs) {
    // Replaces replicas that were about to stop when the faults ended.
    fleet.replaceMissing(settings.random, 100);
    const previousProgress = formatProgress(context, options);
    await scheduler.advance(intervalMs);
    requireOneOwner(context, fleet);
    quietSoFarMs =
      previousProgress === formatProgress(context, options) && reasonForActivity(context, options) === undefined
        ? quietSoFarMs + intervalMs
        : 0;
    if (quietSoFarMs >= options.quietMs) return true;
  }
  return false;
}

/** A text that changes with the set of replicas and with every change in the cluster. */
const formatProgress = ({ counts }: SimulationContext, { fleet, progress }: FinalPhaseOptions): string =>
  [...fleet.liveReplicas().map(({ name }) => name), counts.changeCount, progress()].join(' ');

/** The reason why the state is not final; undefined if it is. */
function reasonForActivity({ history, counts }: SimulationContext, { fleet, findPendingWork }: FinalPhaseOptions): string | undefined {
  if (counts.inFlight > 0) return `${counts.inFlight} writes are in flight`;
  for (const { name, controller, monitor, stoppedAt } of fleet.liveReplicas()) {
    if (stoppedAt !== undefined) return `${name} has not stopped`;
    if (!controller.ready) return `${name} is not ready`;
    if (!controller.idle) return `${name} is not idle`;
    for (const [plural, seen] of Object.entries(monitor.view)) {
      const latest = history.latestVersion({ plural });
      if (seen < latest) return `${name} has not received ${plural} at ${latest}`;
    }
  }
  for (const key of history.keys(resources.services)) {
    if (!fleet.liveReplicas().some(({ ownership }) => ownership.owns(key))) return `no replica owns ${key}`;
  }
  return findPendingWork?.();
}
