import type { LogLevel } from '@kube-endpoints/controllers/internal';
import { type Command, Option } from 'commander';
import { parsePort } from './common.ts';

export interface MetricsFlags {
  /** 0 disables metrics and health. */
  readonly metricsPort: number;
  readonly metricsHost: string;
}

export interface LogFlags {
  readonly logLevel: LogLevel;
  readonly logFormat?: 'json' | 'text';
}

export const addMetricsFlags = (command: Command): Command =>
  command
    .option('--metrics-port <PORT>', 'serve /metrics, /healthz, /livez and /readyz on this port; 0 for none', parsePort, 0)
    .option('--metrics-host <ADDRESS>', 'the address for metrics and health; in a pod 0.0.0.0 or ::', '127.0.0.1');

/** Returns an error message if the metrics flags do not fit together. @param flags the flags given, such as "--metrics-host" */
export const validateMetricsFlags = (flags: readonly string[]): string | undefined =>
  flags.includes('--metrics-host') && !flags.includes('--metrics-port') ? '--metrics-host needs --metrics-port' : undefined;

/**
 * @param level the default level; if undefined, the command chooses
 * @param helpSuffix appended to the help of --log-level
 */
export function addLogFlags(command: Command, level: LogLevel | undefined, helpSuffix = ''): Command {
  const option = new Option('--log-level <LEVEL>', `the minimum level to log${helpSuffix}`).choices(logLevels);
  return command
    .addOption(level === undefined ? option : option.default(level))
    .addOption(
      new Option(
        '--log-format <FORMAT>',
        'the format of the log on standard error (default: "text" on a terminal, "json" elsewhere)',
      ).choices(['json', 'text']),
    );
}

const logLevels: readonly LogLevel[] = ['trace', 'debug', 'info', 'warn', 'error'];
