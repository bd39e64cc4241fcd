/** Observability of the controllers: metrics, logs, traces and health. Needs Node.js. */
export { serveHealth } from './health.ts';
export { createLogger, type Logger, type LoggerOptions } from './log/logger.ts';
export { createFeedMetrics, createMetrics, type Metrics, type MetricsOptions } from './metrics/metrics.ts';
export { combineObservers, observePort } from './observe-port.ts';
export { createTracing, isTracingConfigured } from './tracing.ts';
