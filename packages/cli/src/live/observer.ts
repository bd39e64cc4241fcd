import type { RuntimeEvent as Happening, Observer as Tell } from '@kube-endpoints/controllers';
import type { ControllerName, Tracing } from '@kube-endpoints/controllers/internal';
import {
  createMetrics,
  createTracing,
  isTracingConfigured,
  type Logger,
  type Metrics,
  tellAll,
} from '@kube-endpoints/controllers/operations';
import { systemClock } from 'kube-endpoints/port';
import { type IO, UsageError } from '../io.ts';
import type { RunParticulars } from '../program-run.ts';
import { createCommandLogger } from './command-log.ts';
import { createProgress, type Progress } from './progress.ts';
import { createStatusLine } from './status-line.ts';

/** Everything by which people and programs see what `run` does. */
export interface Observer {
  readonly tell: Tell;
  readonly logger: Logger;
  readonly progress: Progress;
  /** Undefined where nobody is to see them. */
  readonly metrics: Metrics | undefined;
  close(): void;
}

export interface ObserverOptions
  extends Pick<RunParticulars, 'dryRun' | 'once' | 'logLevel' | 'logFormat' | 'metricsPort' | 'workers' | 'leaderElectResourceName'> {
  readonly controllers: readonly ControllerName[] | undefined;
  /** The Kubernetes release. */
  readonly version: string;
}

interface Surroundings {
  readonly io: IO;
  readonly host: string;
  readonly objects: () => Readonly<Record<string, number>>;
}

export async function createObserver(options: ObserverOptions, { io, host, objects }: Surroundings): Promise<Observer> {
  const progress = createProgress();
  const status = createStatusLine(io.stderr, systemClock, () => progress.text());
  const logger = createCommandLogger(status, {
    level: options.logLevel ?? (options.once ? 'warn' : 'info'),
    format: options.logFormat,
    dryRun: options.dryRun,
  });
  const metrics = options.metricsPort === 0 ? undefined : metricsFor(options, { io, host, objects });
  const tracing = await tracingFor(io);
  const isQuiet = options.once && !options.logLevel;
  const log: Tell = isQuiet ? (happening) => isToldAtEnd(happening) || logger.tell(happening) : logger.tell;
  return {
    tell: tellAll(progress.tell, () => status.refresh(), metrics?.tell, log, tracing?.tell),
    logger,
    progress,
    metrics,
    close() {
      status.close();
      tracing?.close();
    },
  };
}

/** What fails in one run is told at its end, once; so is what a cloud fails at, and what cannot be read. */
const isToldAtEnd = ({ kind }: Happening): boolean => toldAtEnd.includes(kind);

const toldAtEnd: readonly Happening['kind'][] = ['informer', 'synced', 'missing', 'cloud', 'orphan'];

function metricsFor(options: ObserverOptions, { io, host, objects }: Surroundings): Metrics {
  const { controllers, workers, version } = options;
  return createMetrics({
    ...(controllers && { controllers }),
    workers,
    host,
    lease: options.leaderElectResourceName,
    objects,
    build: { version: io.version, release: version },
  });
}

async function tracingFor({ env, version }: IO): Promise<Tracing | undefined> {
  if (!isTracingConfigured(env)) return undefined;
  try {
    return await createTracing({ version });
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error });
  }
}
