import type { Command } from 'commander';

/** Where metrics and health are served. */
export interface MetricsFlags {
  /** 0 for nowhere. */
  readonly metricsPort: number;
  readonly metricsHost: string;
}

export const addMetrics = (command: Command, readPort: (text: string) => number): Command =>
  command
    .option('--metrics-port <PORT>', 'serve /metrics, /healthz, /livez and /readyz at this port; 0 for not at all', readPort, 0)
    .option('--metrics-host <ADDRESS>', 'the address for that; in a pod 0.0.0.0 or ::', '127.0.0.1');

/** @param flags those that are given, as "--metrics-host" */
export const metricsWrong = (flags: readonly string[]): string | undefined =>
  flags.includes('--metrics-host') && !flags.includes('--metrics-port') ? '--metrics-host is for --metrics-port: give both' : undefined;
