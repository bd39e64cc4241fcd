/** What an operator of the controllers sees of them: metrics, logs, traces, health. Needs Node.js. */
export { serveHealth } from './health.ts';
export { createLogger, type Logger, type LoggerOptions } from './log/logger.ts';
export { createFeedMetrics, createMetrics, type Metrics, type MetricsOptions } from './metrics/metrics.ts';
export { observePort } from './observe-port.ts';
export { tellAll } from './tell-all.ts';
export { createTracing, isTracingConfigured } from './tracing.ts';
