/** What an operator of the controllers sees of them: metrics, logs, traces, health. Needs Node.js. */
export { type HealthOptions, type HealthServer, serveHealth } from './health.ts';
export type { LogLevel } from './log/entries.ts';
export { createLogger, type Logger, type LoggerOptions, logLevels } from './log/logger.ts';
export { createFeedMetrics, createMetrics, type Metrics, type MetricsOptions } from './metrics/metrics.ts';
export { observePort } from './observe-port.ts';
export { tellAll } from './tell-all.ts';
export { createTracing, isTracingConfigured, type Span, type Tracer, type Tracing, type TracingOptions } from './tracing.ts';
