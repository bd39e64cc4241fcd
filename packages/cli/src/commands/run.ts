import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { createHost, type RuntimeEvent as Happening, type Host, type HostOptions } from '@kube-endpoints/controllers';
import { observePort } from '@kube-endpoints/controllers/operations';
import { systemClock } from 'kube-endpoints/port';
import { namespaceAsked } from '../common-flags.ts';
import { exitCodes, type IO, type Tell, UsageError } from '../io.ts';
import { type OpenCloud, openCloud } from '../live/cloud.ts';
import { createObserver, type Observer } from '../live/observer.ts';
import { isOnlyDropped } from '../live/progress.ts';
import { untilQuiet } from '../live/quiet.ts';
import { openTarget, type Target } from '../live/target.ts';
import { createReadingWatch, type ReadingWatch } from '../live/unreadable.ts';
import { plannedBy, plannedByEffect, recordWrites, reportWritten, type Written } from '../live/written.ts';
import type { CommonFlags } from '../program.ts';
import type { RunParticulars } from '../program-run.ts';
import type { Report } from '../report.ts';
import { serveHealthAt } from './health.ts';

export interface RunOptions extends RunParticulars {
  readonly flags: CommonFlags;
  readonly version: string;
  /** Prints what one run has written. */
  readonly print: (report: Report) => void;
}

/** `run`: the controllers on a cluster or on the embedded API server, until they are stopped or, with `--once`, nothing is left to do. */
export async function run(options: RunOptions, io: IO, tell: Tell): Promise<number> {
  const target = await openTarget(options, io, tell);
  if (!target) return exitCodes.error;
  try {
    return await runOn(target, options, io, tell);
  } catch (error) {
    // The option of this name is a flag of this name.
    throw error instanceof RangeError ? new UsageError(error.message.replace(/^controllers\b/, '--controllers')) : error;
  } finally {
    await target.close();
  }
}

async function runOn(target: Target, options: RunOptions, io: IO, tell: Tell): Promise<number> {
  const plans = new Map<string, readonly Written[]>();
  // What one run does is printed at its end; of one that goes on nothing is kept.
  const record = options.once ? recordWrites(target.port) : undefined;
  const reading = createReadingWatch(namespaceAsked(options.flags));
  let host: Host | undefined;
  const observer = await createObserver(options, { io, host: target.host, objects: () => host?.stats().objects ?? {} });
  const told: HostOptions['tell'] = (happening) => {
    if (record && options.dryRun) notePlan(happening, plans);
    if (record) reading.tell(happening);
    observer.tell(happening);
  };
  let cloud: OpenCloud | undefined;
  try {
    cloud = await openCloud(options, observer.logger);
    host = createHost({
      ...settingsOf(options),
      ...(cloud && { serviceLoadBalancer: cloud.balancing }),
      port: observePort(record?.port ?? target.port, systemClock, told),
      leasePort: observePort(target.leasePort, systemClock, told),
      tell: told,
    });
    const isDone = await work(host, observer, { target, options, io, reading });
    observer.close();
    if (!record) return exitCodes.nothing;
    const written = options.dryRun ? [...plans.values()].flat() : record.written();
    if (isDone || written.length > 0) options.print(reportWritten(written, { planned: options.dryRun }));
    const errors = [...observer.progress.dropped, ...(isDone ? [] : [reading.problem ?? 'stopped before all was done'])];
    for (const text of errors) tell('error', text);
    return errors.length > 0 ? exitCodes.error : exitCodes.nothing;
  } finally {
    observer.close();
    await cloud?.close();
  }
}

interface Surroundings {
  readonly target: Target;
  readonly options: RunOptions;
  readonly io: IO;
  readonly reading: ReadingWatch;
}

/** Until somebody wants it to end, or nothing is left to do; true in the latter case. */
async function work(host: Host, observer: Observer, surroundings: Surroundings): Promise<boolean> {
  const { target, options, io } = surroundings;
  const health = await serveHealthAt(options, { ready: () => host.ready, ...(observer.metrics && { metrics: observer.metrics }) });
  try {
    for (const line of target.lines) io.stdout.write(`${line}\n`);
    if (health) observer.logger.log('info', 'serves health and metrics', { url: health.url });
    return await runUntilEnd(host, observer, surroundings);
  } finally {
    await health?.close();
  }
}

/** What a dry run would write, by controller and key. */
function notePlan(happening: Happening, planned: Map<string, readonly Written[]>): void {
  if (happening.kind === 'planned') planned.set(`${happening.controller} ${happening.key}`, plannedBy(happening));
  if (happening.kind !== 'effect') return;
  const name = `service-lb ${happening.key}`;
  const written = plannedByEffect(happening, planned.get(name)?.[0]);
  if (written) planned.set(name, [written]);
}

async function runUntilEnd(host: Host, observer: Observer, { io, options: { once }, reading }: Surroundings): Promise<boolean> {
  const stop = new AbortController();
  const running = host.run(stop.signal);
  const stopped = Promise.race([io.untilStopped(), reading.failed]).then(() => false);
  const quiet = once
    ? [untilQuiet(endOf(host, observer), observer.progress, { clock: systemClock, signal: stop.signal }).then(() => true)]
    : [];
  const ended = running.then(() => false);
  try {
    const isDone = await Promise.race([stopped, ended, ...quiet]);
    if (!isDone) observer.logger.log('info', 'stops, and ends the work under way first');
    return isDone;
  } finally {
    stop.abort();
    await running;
    observer.logger.log('info', 'has ended');
  }
}

/** What was given up may be looked at again in a while; that is not waited for. */
function endOf(host: Host, { progress }: Observer): { readonly ready: boolean; readonly idle: boolean } {
  return {
    get ready() {
      return host.ready;
    },
    get idle() {
      return host.idle || isOnlyDropped(progress.dropped, host.stats().controllers);
    },
  };
}

/** Who waits for an end is told of a failure within seconds. */
const retriesOfOneRun = 2;

function settingsOf(options: RunOptions): Omit<HostOptions, 'port'> {
  const { version, controllers, workers, maxEndpointsPerSlice, batchPeriod, dryRun } = options;
  const namespace = namespaceAsked(options.flags);
  const lease = {
    namespace: options.leaderElectResourceNamespace,
    leaseDuration: options.leaderElectLeaseDuration,
    renewDeadline: options.leaderElectRenewDeadline,
    retryPeriod: options.leaderElectRetryPeriod,
  };
  return {
    version,
    workers,
    batchPeriod,
    dryRun,
    ...(options.once && { maxRetries: retriesOfOneRun }),
    ...(controllers && { controllers }),
    ...(maxEndpointsPerSlice !== undefined && { maxEndpointsPerSlice }),
    ...(namespace && { namespace }),
    identity: options.identity ?? `${hostname()}_${randomUUID()}`,
    ...(options.leaderElect && { leaderElection: { ...lease, name: options.leaderElectResourceName } }),
    ...(options.shards !== undefined && { shards: { ...lease, name: options.shards } }),
  };
}
