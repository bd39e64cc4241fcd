import { createLogger, type Logger, type LoggerOptions } from '@kube-endpoints/controllers/operations';
import { type Clock, type ScheduledCall, systemClock } from 'kube-endpoints/port';
import type { Output } from '../base/io.ts';

/** As `LoggerOptions`; the format is by default text on a terminal, JSON elsewhere. */
export type LogOptions = Omit<LoggerOptions, 'write' | 'format'> & { readonly format?: LoggerOptions['format'] | undefined };

/** Where a log goes: a stream that may be slower than what is written to it. */
export type LogOutput = Pick<Output, 'write' | 'isTTY' | 'writableNeedDrain'>;

/**
 * The log of a command, on its standard error. Nobody waits for it: while nobody takes what was written, lines are kept, up to a bound, and
 * beyond it left out; how many, the log says as soon as it can. What is kept is written before the process ends by itself.
 */
export function createCommandLogger(output: LogOutput, { format, ...options }: LogOptions, clock: Clock = systemClock): Logger {
  let kept = '';
  let leftOut = 0;
  let look: ScheduledCall | undefined;
  const onLook = (): void => {
    look = undefined;
    if (output.writableNeedDrain) {
      lookLater();
      return;
    }
    const [text, lines] = [kept, leftOut];
    kept = '';
    leftOut = 0;
    if (text !== '') output.write(text);
    if (lines > 0) logger.log(options.level === 'error' ? 'error' : 'warn', 'left lines out, which nobody took', { lines });
  };
  const lookLater = (): void => {
    look ??= clock.schedule(onLook, period);
  };
  const write = (line: string): void => {
    if (!look && !output.writableNeedDrain) {
      output.write(line);
      return;
    }
    // What comes after a gap comes after the line that tells of it, too.
    if (leftOut > 0 || kept.length + line.length > mostKept) leftOut += 1;
    else kept += line;
    lookLater();
  };
  const logger = createLogger({ ...options, format: format ?? (output.isTTY ? 'text' : 'json'), write });
  return logger;
}

/** Characters. A start of some thousand Services is logged in less. */
const mostKept = 2 ** 20;

/** Milliseconds between two looks whether somebody takes what was written. */
const period = 50;
