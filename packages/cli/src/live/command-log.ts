import { createLogger, type Logger, type LoggerOptions } from '@kube-endpoints/controllers/operations';
import { type Clock, type ScheduledCall, systemClock } from 'kube-endpoints/port';
import type { Output } from '../base/io.ts';

/** As `LoggerOptions`; the default format is text on a terminal, otherwise JSON. */
export type LogOptions = Omit<LoggerOptions, 'write' | 'format'> & { readonly format?: LoggerOptions['format'] | undefined };

/** The log's output stream; it may be slower than the logger. */
export type LogOutput = Pick<Output, 'write' | 'isTTY' | 'writableNeedDrain'>;

/**
 * Creates a command's log on standard error. Writing never blocks: while the stream is full, lines are buffered up to a limit and then
 * dropped, and a later line reports how many were dropped. Buffered lines are written before the process exits by itself.
 */
export function createCommandLogger(output: LogOutput, { format, ...options }: LogOptions, clock: Clock = systemClock): Logger {
  let bufferedText = '';
  let droppedLineCount = 0;
  let scheduledFlush: ScheduledCall | undefined;
  const flush = (): void => {
    scheduledFlush = undefined;
    if (output.writableNeedDrain) {
      scheduleFlush();
      return;
    }
    const [text, lines] = [bufferedText, droppedLineCount];
    bufferedText = '';
    droppedLineCount = 0;
    if (text !== '') output.write(text);
    if (lines > 0)
      logger.log(options.level === 'error' ? 'error' : 'warn', 'dropped log lines, because standard error was blocked', { lines });
  };
  const scheduleFlush = (): void => {
    scheduledFlush ??= clock.schedule(flush, flushIntervalMs);
  };
  const write = (line: string): void => {
    if (!scheduledFlush && !output.writableNeedDrain) {
      output.write(line);
      return;
    }
    // After the first dropped line all lines are dropped, until the line that reports the count is written.
    if (droppedLineCount > 0 || bufferedText.length + line.length > maxBufferedChars) droppedLineCount += 1;
    else bufferedText += line;
    scheduleFlush();
  };
  const logger = createLogger({ ...options, format: format ?? (output.isTTY ? 'text' : 'json'), write });
  return logger;
}

/** Maximum buffered characters: more than a start with some thousand Services logs. */
const maxBufferedChars = 2 ** 20;

/** Milliseconds between checks whether the stream has drained. */
const flushIntervalMs = 50;
