import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { createHost, type Host, type HostOptions, type RuntimeEvent } from '@kube-endpoints/controllers';
import type { ControllerName, LogLevel } from '@kube-endpoints/controllers/internal';
import { observePort } from '@kube-endpoints/controllers/operations';
import type { Command } from 'commander';
import { systemClock } from 'kube-endpoints/port';
import { exitCodes, type IO, type PrintMessage, UsageError } from '../base/io.ts';
import { addCloudFlags, type CloudFlags, validateCloudFlags } from '../flags/cloud.ts';
import {
  findGivenFlags,
  type Invocation,
  type OnParsed,
  parsePort,
  type ReleaseFlags,
  releaseOf,
  requestedNamespace,
} from '../flags/common.ts';
import { addControllerFlags } from '../flags/controllers.ts';
import { findMirroringProblem, type MirroringFlags, mirroringOptionsOf } from '../flags/mirroring.ts';
import { addLogFlags, addMetricsFlags, type MetricsFlags, validateMetricsFlags } from '../flags/operations.ts';
import { addRateLimitFlags, type RateLimitFlags } from '../flags/rate-limit.ts';
import { addReplicaFlags, type ReplicaFlags, validateReplicaFlags } from '../flags/replicas.ts';
import { type OpenedCloud, openCloud } from '../live/cloud.ts';
import { createReadFailureDetector, type ReadFailureDetector } from '../live/inventory.ts';
import { serveHealthAt } from '../live/listen.ts';
import { createObserver, type RunObserver } from '../live/observer.ts';
import { hasOnlyDroppedWork, waitUntilQuiet } from '../live/progress.ts';
import { createLimiter, limitPort } from '../live/rate-limit.ts';
import { openTarget, type Target, type TargetOptions } from '../live/target.ts';
import { createWriteRecorder, type RecordedWrite, recordPlan, reportWrites } from '../live/writes.ts';
import { printReport } from '../print/report.ts';

export interface RunFlags
  extends Omit<TargetOptions, 'flags'>,
    CloudFlags,
    MetricsFlags,
    MirroringFlags,
    RateLimitFlags,
    ReleaseFlags,
    ReplicaFlags {
  readonly command: 'run';
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
  addControllerFlags(command);
  addRateLimitFlags(command)
    .option('--dry-run', 'report what would be written and write nothing, not even a Lease: --leader-elect and --shards are ignored')
    .option('--once', 'exit when no work is left, and print what was written');
  addLogFlags(addMetricsFlags(addReplicaFlags(addCloudFlags(command))), undefined, ' (default: "info"; with --once "warn")')
    .option('--port <PORT>', 'the port of the embedded API server; 0 for any free port', parsePort, 6443)
    .option('--host <ADDRESS>', 'the address of the embedded API server; any address other than loopback needs --token', '127.0.0.1')
    .option('--kubeconfig-out <FILE>', 'write a kubeconfig for the embedded API server to this file')
    .option('--token <TOKEN>', 'the bearer token that clients of the embedded API server must send (default: a random one)')
    .action((options: Partial<RunFlags>) => {
      const flags = findGivenFlags(command);
      const embeddedFlag = flags.find((flag) => embeddedFlags.includes(flag));
      const runFlags = { dryRun: false, once: false, leaderElect: false, ...options, embeddedFlag, command: 'run' } as RunFlags;
      const problem =
        validateReplicaFlags(flags, runFlags) ??
        validateCloudFlags(runFlags) ??
        validateMetricsFlags(flags) ??
        findFlagProblem(flags, runFlags);
      if (problem !== undefined) command.error(`error: ${problem}`);
      onParsed([], runFlags, run);
    });
}

const embeddedFlags: readonly string[] = ['--port', '--host', '--kubeconfig-out', '--token'];

/** Returns an error message if a flag has no effect together with the other flags; otherwise undefined. */
function findFlagProblem(flags: readonly string[], { embeddedFlag, once, controllers }: RunFlags): string | undefined {
  const clusterFlag = flags.find((flag) => flag === '--kubeconfig' || flag === '--context');
  if (embeddedFlag && clusterFlag)
    return `${embeddedFlag} is for the embedded API server, ${clusterFlag} for a cluster: leave one of them out`;
  if (embeddedFlag && once)
    return `${embeddedFlag} is for clients of the embedded API server, and --once serves none: leave one of them out`;
  if (flags.includes('--max-endpoints-per-slice') && controllers?.includes('endpointslices') === false)
    return '--max-endpoints-per-slice is for the controller endpointslices: leave it out, or add that to --controllers';
  return findMirroringProblem(flags, controllers);
}

interface RunOptions extends Invocation<RunFlags> {
  readonly version: string;
}

/** Runs the controllers on a cluster or on the embedded API server until they are stopped or, with `--once`, no work is left. */
async function run(invocation: Invocation<RunFlags>, io: IO, printMessage: PrintMessage): Promise<number> {
  const options = { ...invocation, ...releaseOf(invocation, io) };
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
  const plannedWrites = new Map<string, readonly RecordedWrite[]>();
  // With `--once`, writes are recorded and printed at the end; a long-running process records none.
  const recorder = options.once ? createWriteRecorder(target.port) : undefined;
  const readFailures = createReadFailureDetector(requestedNamespace(options.flags));
  let host: Host | undefined;
  const rateLimiter = createLimiter(options);
  const observer = await createObserver(options, { io, host: target.host, objects: () => host?.stats().objects ?? {}, rateLimiter });
  const onEvent = (event: RuntimeEvent): void => {
    if (recorder && options.dryRun) recordPlan(event, plannedWrites);
    if (recorder) readFailures.observer(event);
    observer.onEvent(event);
  };
  let cloud: OpenedCloud | undefined;
  try {
    cloud = await openCloud(options, observer.logger);
    host = createHost({
      ...hostOptionsOf(options),
      ...(cloud && { serviceLoadBalancer: cloud.balancingOptions }),
      port: observePort(limitPort(recorder?.port ?? target.port, rateLimiter, onEvent), systemClock, onEvent),
      leasePort: observePort(limitPort(target.leasePort, createLimiter(options), onEvent), systemClock, onEvent),
      onEvent,
    });
    const isDone = await runWithHealth(host, observer, { target, options, io, readFailures });
    observer.close();
    if (!recorder) return exitCodes.nothing;
    const writes = options.dryRun ? [...plannedWrites.values()].flat() : recorder.writes();
    if (isDone || writes.length > 0) await printReport(reportWrites(writes, { planned: options.dryRun }), options.flags, io);
    const errors = [...observer.progress.failureMessages, ...(isDone ? [] : [readFailures.problem ?? 'stopped before all work was done'])];
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
    const stopRequest = io.untilStopped();
    for (const line of target.lines) io.stdout.write(`${line}\n`);
    if (health) observer.logger.log('info', 'serving health and metrics', { url: health.url });
    return await runUntilEnd(host, observer, { ...context, stopRequest });
  } finally {
    await health?.close();
  }
}

async function runUntilEnd(
  host: Host,
  observer: RunObserver,
  { stopRequest, options: { once }, readFailures }: RunContext & { readonly stopRequest: Promise<void> },
): Promise<boolean> {
  const stop = new AbortController();
  const hostRun = host.run(stop.signal);
  const interruption = Promise.race([stopRequest, readFailures.failed]).then(() => false);
  const completions = once
    ? [waitUntilQuiet(createWorkState(host, observer), observer.progress, { clock: systemClock, signal: stop.signal }).then(() => true)]
    : [];
  const hostEnded = hostRun.then(() => false);
  try {
    const isDone = await Promise.race([interruption, hostEnded, ...completions]);
    if (!isDone) observer.logger.log('info', 'stopping after the work in progress');
    return isDone;
  } finally {
    stop.abort();
    await hostRun;
    observer.logger.log('info', 'stopped');
  }
}

/** Creates a view of the remaining work. Dropped keys do not count: they may be retried later, and `--once` does not wait for that. */
function createWorkState(host: Host, { progress }: RunObserver): { readonly ready: boolean; readonly idle: boolean } {
  return {
    get ready() {
      return host.ready;
    },
    get idle() {
      return host.idle || hasOnlyDroppedWork(progress.failureMessages, host.stats().controllers);
    },
  };
}

/** Maximum retries of a failing key with `--once`: few, so that the user sees the failure within seconds. */
const maxRetriesOnce = 2;

function hostOptionsOf(options: RunOptions): Omit<HostOptions, 'port'> {
  const { version, featureGates, controllers, workers, maxEndpointsPerSlice, batchPeriod, dryRun } = options;
  const namespace = requestedNamespace(options.flags);
  const leaseOptions = {
    namespace: options.leaderElectResourceNamespace,
    leaseDuration: options.leaderElectLeaseDuration,
    renewDeadline: options.leaderElectRenewDeadline,
    retryPeriod: options.leaderElectRetryPeriod,
  };
  return {
    version,
    ...(featureGates && { featureGates }),
    workers,
    batchPeriod,
    mirroring: mirroringOptionsOf(options),
    dryRun,
    ...(options.once && { maxRetries: maxRetriesOnce }),
    ...(controllers && { controllers }),
    ...(maxEndpointsPerSlice !== undefined && { maxEndpointsPerSlice }),
    ...(namespace && { namespace }),
    identity: options.identity ?? `${hostname()}_${randomUUID()}`,
    ...(options.leaderElect && { leaderElection: { ...leaseOptions, name: options.leaderElectResourceName } }),
    ...(options.shards !== undefined && { shards: { ...leaseOptions, name: options.shards } }),
  };
}
