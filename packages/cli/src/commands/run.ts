import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { createHost, type Host, type HostOptions, type RuntimeEvent } from '@kube-endpoints/controllers';
import type { ControllerName, LogLevel } from '@kube-endpoints/controllers/internal';
import { observePort } from '@kube-endpoints/controllers/operations';
import type { Command } from 'commander';
import { systemClock } from 'kube-endpoints/port';
import { exitCodes, type IO, type PrintMessage, UsageError } from '../base/io.ts';
import { addCloudFlags, type CloudFlags, parseControllerNames, validateCloudFlags } from '../flags/cloud.ts';
import {
  givenFlags,
  type Invocation,
  maxOption,
  type OnParsed,
  parsePort,
  releaseOf,
  releaseOption,
  requestedNamespace,
  wholeNumberParser,
} from '../flags/common.ts';
import { durationOption, parseDuration } from '../flags/duration.ts';
import { addLog, addMetrics, type MetricsFlags, validateMetricsFlags } from '../flags/operations.ts';
import { addReplicas, type ReplicaFlags, validateReplicaFlags } from '../flags/replicas.ts';
import { type OpenCloud, openCloud } from '../live/cloud.ts';
import { createReadFailureDetector, type ReadFailureDetector } from '../live/inventory.ts';
import { serveHealthAt } from '../live/listen.ts';
import { createObserver, type RunObserver } from '../live/observer.ts';
import { hasOnlyDroppedWork, untilQuiet } from '../live/progress.ts';
import { openTarget, type Target, type TargetOptions } from '../live/target.ts';
import { plannedServiceWrite, plannedWrites, type RecordedWrite, recordWrites, reportWrites } from '../live/writes.ts';
import { printReport } from '../print/report.ts';

export interface RunFlags extends Omit<TargetOptions, 'flags'>, CloudFlags, MetricsFlags, ReplicaFlags {
  readonly command: 'run';
  readonly release: string | undefined;
  readonly controllers: readonly ControllerName[] | undefined;
  readonly workers: number;
  readonly maxEndpointsPerSlice: number | undefined;
  /** In milliseconds. */
  readonly batchPeriod: number;
  readonly dryRun: boolean;
  readonly logLevel: LogLevel | undefined;
  readonly logFormat: 'json' | 'text' | undefined;
}

export function configure(command: Command, onParsed: OnParsed): void {
  command
    .option('--kubeconfig <FILE>', 'the kubeconfig of the cluster')
    .option('--context <NAME>', 'the context of the kubeconfig to use')
    .option(
      '--controllers <NAMES>',
      'the controllers to run, separated by commas: endpoints, endpointslices, service-lb (default: endpoints,endpointslices)',
      parseControllerNames,
    )
    .addOption(releaseOption())
    .option('--workers <N>', 'the number of Services that each controller syncs at the same time', wholeNumberParser(1, 999), 5)
    .addOption(maxOption())
    .addOption(
      durationOption(
        '--batch-period <DURATION>',
        'how long pod changes are batched, as --endpoint-updates-batch-period of kube-controller-manager',
        parseDuration,
        0,
      ),
    )
    .option('--dry-run', 'report what would be written and write nothing, not even a Lease: --leader-elect and --shards are ignored')
    .option('--once', 'exit when no work is left, and print what was written');
  addLog(addMetrics(addReplicas(addCloudFlags(command))), undefined, ' (default: "info"; with --once "warn")')
    .option('--port <PORT>', 'the port of the embedded API server; 0 for any free port', parsePort, 6443)
    .option('--host <ADDRESS>', 'the address of the embedded API server; any address other than loopback needs --token', '127.0.0.1')
    .option('--kubeconfig-out <FILE>', 'write a kubeconfig for the embedded API server to this file')
    .option('--token <TOKEN>', 'the bearer token that clients of the embedded API server must send (default: a random one)')
    .action((options: Partial<RunFlags>) => {
      const flags = givenFlags(command);
      const embeddedFlag = flags.find((flag) => embeddedFlags.includes(flag));
      const runFlags = { dryRun: false, once: false, leaderElect: false, ...options, embeddedFlag, command: 'run' } as RunFlags;
      const problem =
        validateReplicaFlags(flags, runFlags) ??
        validateCloudFlags(runFlags) ??
        validateMetricsFlags(flags) ??
        findIdleFlag(flags, runFlags);
      if (problem !== undefined) command.error(`error: ${problem}`);
      onParsed([], runFlags, run);
    });
}

const embeddedFlags: readonly string[] = ['--port', '--host', '--kubeconfig-out', '--token'];

/** An error message if a flag would have no effect together with the others. */
function findIdleFlag(flags: readonly string[], { embeddedFlag, once, controllers }: RunFlags): string | undefined {
  const cluster = flags.find((flag) => flag === '--kubeconfig' || flag === '--context');
  if (embeddedFlag && cluster) return `${embeddedFlag} is for the embedded API server, ${cluster} for a cluster: leave one of them out`;
  if (embeddedFlag && once)
    return `${embeddedFlag} is for clients of the embedded API server, and --once serves none: leave one of them out`;
  if (flags.includes('--max-endpoints-per-slice') && controllers?.includes('endpointslices') === false)
    return '--max-endpoints-per-slice is for the controller endpointslices: leave it out, or add that to --controllers';
  return undefined;
}

interface RunOptions extends Invocation<RunFlags> {
  readonly version: string;
}

/** Runs the controllers on a cluster or on the embedded API server until they are stopped or, with `--once`, no work is left. */
async function run(invocation: Invocation<RunFlags>, io: IO, printMessage: PrintMessage): Promise<number> {
  const options = { ...invocation, version: releaseOf(invocation.release, io) };
  const target = await openTarget(options, io, printMessage);
  if (!target) return exitCodes.error;
  try {
    return await runOn(target, options, io, printMessage);
  } catch (error) {
    // The option `controllers` of createHost is set by the flag `--controllers`.
    throw error instanceof RangeError ? new UsageError(error.message.replace(/^controllers\b/, '--controllers')) : error;
  } finally {
    await target.close();
  }
}

async function runOn(target: Target, options: RunOptions, io: IO, printMessage: PrintMessage): Promise<number> {
  const plans = new Map<string, readonly RecordedWrite[]>();
  // With `--once`, writes are recorded and printed at the end; a long-running process records none.
  const recorder = options.once ? recordWrites(target.port) : undefined;
  const readFailures = createReadFailureDetector(requestedNamespace(options.flags));
  let host: Host | undefined;
  const observer = await createObserver(options, { io, host: target.host, objects: () => host?.stats().objects ?? {} });
  const onEvent: HostOptions['onEvent'] = (event) => {
    if (recorder && options.dryRun) recordPlan(event, plans);
    if (recorder) readFailures.observer(event);
    observer.onEvent(event);
  };
  let cloud: OpenCloud | undefined;
  try {
    cloud = await openCloud(options, observer.logger);
    host = createHost({
      ...hostOptionsOf(options),
      ...(cloud && { serviceLoadBalancer: cloud.balancing }),
      port: observePort(recorder?.port ?? target.port, systemClock, onEvent),
      leasePort: observePort(target.leasePort, systemClock, onEvent),
      onEvent,
    });
    const isDone = await runWithHealth(host, observer, { target, options, io, readFailures });
    observer.close();
    if (!recorder) return exitCodes.nothing;
    const writes = options.dryRun ? [...plans.values()].flat() : recorder.writes();
    if (isDone || writes.length > 0) await printReport(reportWrites(writes, { planned: options.dryRun }), options.flags, io);
    const errors = [...observer.progress.dropped, ...(isDone ? [] : [readFailures.problem ?? 'stopped before all work was done'])];
    for (const text of errors) printMessage('error', text);
    return errors.length > 0 ? exitCodes.error : exitCodes.nothing;
  } finally {
    observer.close();
    await cloud?.close();
  }
}

interface RunContext {
  readonly target: Target;
  readonly options: RunOptions;
  readonly io: IO;
  readonly readFailures: ReadFailureDetector;
}

/** Runs until a signal or, with `--once`, until no work is left. Returns true if no work is left. */
async function runWithHealth(host: Host, observer: RunObserver, context: RunContext): Promise<boolean> {
  const { target, options, io } = context;
  const health = await serveHealthAt(options, { ready: () => host.ready, ...(observer.metrics && { metrics: observer.metrics }) });
  try {
    const stopped = io.untilStopped();
    for (const line of target.lines) io.stdout.write(`${line}\n`);
    if (health) observer.logger.log('info', 'serving health and metrics', { url: health.url });
    return await runUntilEnd(host, observer, { ...context, stopped });
  } finally {
    await health?.close();
  }
}

/** Records what a dry run would write, by controller and key. */
function recordPlan(event: RuntimeEvent, plans: Map<string, readonly RecordedWrite[]>): void {
  if (event.kind === 'planned') plans.set(`${event.controller} ${event.key}`, plannedWrites(event));
  if (event.kind !== 'effect') return;
  const name = `service-lb ${event.key}`;
  const write = plannedServiceWrite(event, plans.get(name)?.[0]);
  if (write) plans.set(name, [write]);
}

async function runUntilEnd(
  host: Host,
  observer: RunObserver,
  { stopped: signalled, options: { once }, readFailures }: RunContext & { readonly stopped: Promise<void> },
): Promise<boolean> {
  const stop = new AbortController();
  const running = host.run(stop.signal);
  const stopped = Promise.race([signalled, readFailures.failed]).then(() => false);
  const quiet = once
    ? [untilQuiet(workState(host, observer), observer.progress, { clock: systemClock, signal: stop.signal }).then(() => true)]
    : [];
  const hostEnded = running.then(() => false);
  try {
    const isDone = await Promise.race([stopped, hostEnded, ...quiet]);
    if (!isDone) observer.logger.log('info', 'stopping after the work in progress');
    return isDone;
  } finally {
    stop.abort();
    await running;
    observer.logger.log('info', 'stopped');
  }
}

/** Dropped keys may be retried later; `--once` does not wait for that. */
function workState(host: Host, { progress }: RunObserver): { readonly ready: boolean; readonly idle: boolean } {
  return {
    get ready() {
      return host.ready;
    },
    get idle() {
      return host.idle || hasOnlyDroppedWork(progress.dropped, host.stats().controllers);
    },
  };
}

/** With `--once`, the user sees a failure within seconds. */
const maxRetriesOnce = 2;

function hostOptionsOf(options: RunOptions): Omit<HostOptions, 'port'> {
  const { version, controllers, workers, maxEndpointsPerSlice, batchPeriod, dryRun } = options;
  const namespace = requestedNamespace(options.flags);
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
    ...(options.once && { maxRetries: maxRetriesOnce }),
    ...(controllers && { controllers }),
    ...(maxEndpointsPerSlice !== undefined && { maxEndpointsPerSlice }),
    ...(namespace && { namespace }),
    identity: options.identity ?? `${hostname()}_${randomUUID()}`,
    ...(options.leaderElect && { leaderElection: { ...lease, name: options.leaderElectResourceName } }),
    ...(options.shards !== undefined && { shards: { ...lease, name: options.shards } }),
  };
}
