import { pino } from 'pino';
import type { Observer, RuntimeEvent } from '../../host/index.ts';
import { createEntry } from './entries.ts';
import { type LogEntry, type LogLevel, toErrorFields } from './entry.ts';

export interface LoggerOptions {
  /** "info" by default. */
  readonly level?: LogLevel;
  /** `json` writes one object per line; `text` is for people. `json` by default. */
  readonly format?: 'json' | 'text';
  /** Receives each line, including its line break. By default it is written to standard error. */
  readonly write?: (line: string) => void;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  /** True if nothing is written: then plans are logged at "info". */
  readonly dryRun?: boolean;
}

/** A structured log of events. */
export interface Logger {
  readonly observer: Observer;
  /** Logs a line that does not come from an event. */
  log(level: LogLevel, message: string, fields?: Readonly<Record<string, unknown>>): void;
  /** Logs an error. */
  fail(message: string, error: unknown): void;
}

export function createLogger({ level = 'info', format = 'json', dryRun = false, ...options }: LoggerOptions = {}): Logger {
  const { now = Date.now, write = (line: string): void => void process.stderr.write(line) } = options;
  const logger = pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${new Date(now()).toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
    },
    { write: format === 'json' ? write : (line: string) => write(formatLine(line)) },
  );
  const log: Logger['log'] = (entryLevel, message, fields = {}) => logger[entryLevel](fields, message);
  const isLogged = (entryLevel: LogLevel): boolean => logLevels.indexOf(entryLevel) >= logLevels.indexOf(level);
  // Most events are below the usual log level. Their kinds are skipped before an entry is formatted.
  const loggedKinds = new Set(Object.entries(highestLevels).flatMap(([kind, highest]) => (isLogged(highest) ? kind : [])));
  return {
    log,
    fail: (message, error) => log('error', message, toErrorFields(error)),
    observer(event) {
      if (!loggedKinds.has(event.kind)) return;
      const entry = createSafeEntry(event, dryRun);
      if (isLogged(entry.level)) log(entry.level, entry.message, entry.fields);
    },
  };
}

/** An event may carry values from foreign code. An error while formatting them must not reach the caller that reports the event. */
function createSafeEntry(event: RuntimeEvent, dryRun: boolean): LogEntry {
  try {
    return createEntry(event, { dryRun });
  } catch (error) {
    return { level: 'error', message: 'cannot format the log entry', fields: { kind: event.kind, ...toErrorFields(error) } };
  }
}

export const logLevels: readonly LogLevel[] = ['trace', 'debug', 'info', 'warn', 'error'];

/** The highest level at which each kind of event is logged. */
const highestLevels: Readonly<Record<RuntimeEvent['kind'], LogLevel>> = {
  informer: 'warn',
  queued: 'trace',
  taken: 'trace',
  synced: 'error',
  planned: 'info',
  request: 'debug',
  throttled: 'debug',
  disowned: 'trace',
  leadership: 'warn',
  shards: 'warn',
  event: 'warn',
  missing: 'error',
  cloud: 'warn',
  effect: 'info',
  nodes: 'debug',
  orphan: 'warn',
};

/** Formats a JSON line for people: "12:34:56.789 info  written  controller=endpoints namespace=shop name=web writes=1". */
export function formatLine(line: string): string {
  const { level, time, msg, ...fields } = JSON.parse(line) as Record<string, unknown>;
  const timeOfDay = String(time).slice('2026-01-31T'.length, -1);
  const rest = Object.entries(fields).map(([key, value]) => `${key}=${formatValue(value)}`);
  return `${[timeOfDay, String(level).padEnd('error'.length), escapeUnprintable(String(msg)), ...rest].join(' ')}\n`;
}

const formatValue = (value: unknown): string => {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return /^[\w./:,+-]+$/.test(text) ? text : escapeUnprintable(JSON.stringify(value));
};

/** Escapes characters that move the terminal's cursor or reorder a line. */
const escapeUnprintable = (text: string): string =>
  text.replace(unprintable, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern must match control characters
const unprintable = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
