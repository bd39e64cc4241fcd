export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error';

/** A line of a log before it is written. */
export interface LogEntry {
  readonly level: LogLevel;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}
