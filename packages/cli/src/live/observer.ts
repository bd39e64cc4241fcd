import type { Observer, RateLimiter, RuntimeEvent } from '@kube-endpoints/controllers';
import type { ControllerName, LogLevel, Tracing } from '@kube-endpoints/controllers/internal';
import {
  combineObservers,
  createMetrics,
  createTracing,
  isTracingConfigured,
  type Logger,
  type Metrics,
} from '@kube-endpoints/controllers/operations';
import { type Clock, systemClock } from 'kube-endpoints/port';
import { type IO, type Output, UsageError } from '../base/io.ts';
import { createCommandLogger, type LogOutput } from './command-log.ts';
import { createProgress, type Progress } from './progress.ts';

/** The outputs of `run`: log, progress, metrics and tracing. */
export interface RunObserver {
  readonly onEvent: Observer;
  readonly logger: Logger;
  readonly progress: Progress;
  /** Undefined if `--metrics-port` is 0. */
  readonly metrics: Metrics | undefined;
  close(): void;
}

export interface ObserverOptions {
  readonly dryRun: boolean;
  readonly once: boolean;
  readonly logLevel: LogLevel | undefined;
  readonly logFormat: 'json' | 'text' | undefined;
  readonly metricsPort: number;
  readonly workers: number;
  readonly mirroringConcurrentServiceEndpointSyncs: number;
  readonly concurrentServiceSyncs?: number | undefined;
  readonly leaderElectResourceName: string;
  readonly controllers: readonly ControllerName[] | undefined;
  readonly version: string;
}

interface ObserverContext {
  readonly io: IO;
  readonly host: string;
  readonly objects: () => Readonly<Record<string, number>>;
  readonly rateLimiter?: RateLimiter | undefined;
}

export async function createObserver(options: ObserverOptions, { io, host, objects, rateLimiter }: ObserverContext): Promise<RunObserver> {
  const progress = createProgress();
  const statusLine = createStatusLine(io.stderr, systemClock, () => progress.text());
  const logger = createCommandLogger(statusLine, {
    level: options.logLevel ?? (options.once ? 'warn' : 'info'),
    format: options.logFormat,
    dryRun: options.dryRun,
  });
  const metrics = options.metricsPort === 0 ? undefined : createRunMetrics(options, { io, host, objects, rateLimiter });
  const tracing = await createRunTracing(io);
  const isQuiet = options.once && !options.logLevel;
  const log: Observer = isQuiet ? (event) => isReportedAtEnd(event) || logger.observer(event) : logger.observer;
  return {
    onEvent: combineObservers(progress.observer, () => statusLine.refresh(), metrics?.observer, log, tracing?.observer),
    logger,
    progress,
    metrics,
    close() {
      statusLine.close();
      tracing?.close();
    },
  };
}

/** True for events that are not logged with `--once` and without `--log-level`, because their failures are printed at the end. */
const isReportedAtEnd = ({ kind }: RuntimeEvent): boolean => kindsReportedAtEnd.includes(kind);

const kindsReportedAtEnd: readonly RuntimeEvent['kind'][] = ['informer', 'synced', 'missing', 'cloud', 'orphan'];

function createRunMetrics(options: ObserverOptions, { io, host, objects, rateLimiter }: ObserverContext): Metrics {
  const { controllers, workers, concurrentServiceSyncs, version } = options;
  return createMetrics({
    ...(controllers && { controllers }),
    workers,
    mirroringWorkers: options.mirroringConcurrentServiceEndpointSyncs,
    ...(concurrentServiceSyncs !== undefined && { balancingWorkers: concurrentServiceSyncs }),
    host,
    lease: options.leaderElectResourceName,
    objects,
    ...(rateLimiter && { rateLimiter }),
    build: { version: io.version, release: version },
  });
}

async function createRunTracing({ env, version }: IO): Promise<Tracing | undefined> {
  if (!isTracingConfigured(env)) return undefined;
  try {
    return await createTracing({ version });
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error });
  }
}

/**
 * A status line at the bottom of a terminal, rewritten in place below all other output. Writes no status if the output is not a terminal.
 */
export interface StatusLine extends LogOutput {
  /** Schedules a redraw within `redrawIntervalMs`. */
  refresh(): void;
  /** Writes whole lines above the status line. */
  write(text: string): void;
  /** Removes the status line. */
  close(): void;
}

/** @param formatStatus the current status; called at each redraw */
export function createStatusLine(output: Output, clock: Clock, formatStatus: () => string): StatusLine {
  let scheduledRedraw: ReturnType<Clock['schedule']> | undefined;
  let isClosed = !output.isTTY;
  const draw = (): void => {
    if (!output.writableNeedDrain) output.write(`${clearLine}${formatStatus().slice(0, (output.columns ?? 80) - 1)}`);
  };
  return {
    isTTY: output.isTTY,
    get writableNeedDrain() {
      return output.writableNeedDrain ?? false;
    },
    refresh() {
      if (scheduledRedraw || isClosed) return;
      scheduledRedraw = clock.schedule(() => {
        scheduledRedraw = undefined;
        draw();
      }, redrawIntervalMs);
    },
    write(lines) {
      if (isClosed) return output.write(lines);
      output.write(`${clearLine}${lines}`);
      draw();
    },
    close() {
      if (isClosed) return;
      isClosed = true;
      scheduledRedraw?.cancel();
      output.write(clearLine);
    },
  };
}

const clearLine = '\r\u001b[K';

const redrawIntervalMs = 100;
