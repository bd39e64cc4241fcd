import { createLogger, type Logger, type LoggerOptions } from '@kube-endpoints/controllers/operations';
import { type Clock, type ScheduledCall, systemClock } from 'kube-endpoints/port';
import type { Output } from '../base/io.ts';

/** As `LoggerOptions`; the default format is text on a terminal, otherwise JSON. */
export type LogOptions = Omit<LoggerOptions, 'write' | 'format'> & { readonly format?: LoggerOptions['format'] | undefined };

/** The log's output stream; it may be slower than the logger. */
export type LogOutput = Pick<Output, 'write' | 'isTTY' | 'writableNeedDrain'>;

/**
 * Creates a command's log on standard error. Writing never blocks: while the stream is full, lines are buffered up to a limit and then
 * dropped, and a later line reports how many. Buffered lines are written before the process exits by itself.
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
    // After the first dropped line all lines are dropped, until the line that reports the count is written.
    if (leftOut > 0 || kept.length + line.length > mostKept) leftOut += 1;
    else kept += line;
    lookLater();
  };
  const logger = createLogger({ ...options, format: format ?? (output.isTTY ? 'text' : 'json'), write });
  return logger;
}

/** Maximum buffered characters: more than a start with some thousand Services logs. */
const mostKept = 2 ** 20;

/** Milliseconds between checks whether the stream has drained. */
const period = 50;
