import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { systemClock } from '../../runtime/clock.ts';
import { createHost, type Host, type HostOptions } from '../../runtime/host.ts';
import { type HealthServer, observePort, serveHealth } from '../../runtime/operations/index.ts';
import { exitCodes, type IO, type Tell, UsageError } from '../io.ts';
import { createObserver, type Observer } from '../live/observer.ts';
import { untilQuiet } from '../live/quiet.ts';
import { openTarget, type Target } from '../live/target.ts';
import { plannedBy, recordWrites, reportWritten, type Written } from '../live/written.ts';
import type { CommonFlags } from '../program.ts';
import type { RunParticulars } from '../program-run.ts';
import type { Report } from '../report.ts';
import { cannotListen } from './apiserver.ts';

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
    throw error instanceof RangeError ? new UsageError(error.message) : error;
  } finally {
    await target.close();
  }
}

async function runOn(target: Target, options: RunOptions, io: IO, tell: Tell): Promise<number> {
  const planned = new Map<string, readonly Written[]>();
  const record = recordWrites(target.port);
  const observer = await createObserver(options, { io, host: target.host, objects: () => host.stats().objects });
  const told: HostOptions['tell'] = (happening) => {
    if (options.dryRun && happening.kind === 'planned') planned.set(`${happening.controller} ${happening.key}`, plannedBy(happening));
    observer.tell(happening);
  };
  const observed = { port: record.port, leasePort: target.leasePort };
  const host = createHost({
    ...settingsOf(options),
    port: observePort(observed.port, systemClock, told),
    leasePort: observePort(observed.leasePort, systemClock, told),
    tell: told,
  });
  const health = await serve(host, observer, options);
  try {
    for (const line of target.lines) io.stdout.write(`${line}\n`);
    if (health) observer.logger.log('info', 'serves health and metrics', { url: health.url });
    const isDone = await runUntilEnd(host, observer, { io, once: options.once });
    observer.close();
    const written = options.dryRun ? [...planned.values()].flat() : record.written();
    if (options.once && isDone) options.print(reportWritten(written, { planned: options.dryRun }));
    if (options.once) for (const text of observer.progress.dropped) tell('error', text);
    return options.once && observer.progress.dropped.length > 0 ? exitCodes.error : exitCodes.nothing;
  } finally {
    observer.close();
    await health?.close();
  }
}

/** Until somebody wants it to end, or nothing is left to do; true in the latter case. */
async function runUntilEnd(host: Host, observer: Observer, { io, once }: { readonly io: IO; readonly once: boolean }): Promise<boolean> {
  const stop = new AbortController();
  const running = host.run(stop.signal);
  const stopped = io.untilStopped().then(() => false);
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
  const sum = (name: 'waiting' | 'processing' | 'delayed'): number =>
    Object.values(host.stats().controllers).reduce((all, stats) => all + stats[name], 0);
  return {
    get ready() {
      return host.ready;
    },
    get idle() {
      return (
        host.idle || (progress.dropped.length > 0 && sum('waiting') + sum('processing') === 0 && sum('delayed') <= progress.dropped.length)
      );
    },
  };
}

async function serve(host: Host, { metrics }: Observer, { metricsPort, metricsHost }: RunOptions): Promise<HealthServer | undefined> {
  if (!metrics) return undefined;
  try {
    return await serveHealth({ port: metricsPort, host: metricsHost, ready: () => host.ready, metrics });
  } catch (error) {
    const place = { host: metricsHost, port: metricsPort };
    throw cannotListen(error, place, { host: '--metrics-host', port: '--metrics-port', any: ', or 0 for none' });
  }
}

/** Who waits for an end is told of a failure within seconds. */
const retriesOfOneRun = 2;

function settingsOf(options: RunOptions): Omit<HostOptions, 'port'> {
  const { flags, version, controllers, workers, maxEndpointsPerSlice, batchPeriod, dryRun } = options;
  const namespace = flags.allNamespaces ? undefined : flags.namespace;
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
