import type { Output } from '../base/io.ts';
import type { ReadProgress } from '../input/read.ts';
import { escapeUnprintable } from '../print/text.ts';

/** A line on a terminal that shows how far reading is. Shows nothing if the output is not a terminal. */
export interface ReadingLine {
  show(progress: ReadProgress): void;
  clear(): void;
}

const intervalMs = 100;

/** @param now the time in milliseconds, for at most ten updates a second */
export function createReadingLine(output: Output, now: () => number = () => performance.now()): ReadingLine {
  if (!output.isTTY) return { show: () => undefined, clear: () => undefined };
  const write = (text: string): void => output.write(`\r\u001b[K${text}`);
  let nextUpdateMs = 0;
  return {
    show(progress) {
      const isStart = progress.readBytes === undefined && progress.objects === undefined;
      const nowMs = now();
      if (!isStart && nowMs < nextUpdateMs) return;
      nextUpdateMs = nowMs + intervalMs;
      write(formatProgress(progress));
    },
    clear: () => write(''),
  };
}

function formatProgress({ source, readBytes, objects }: ReadProgress): string {
  const subject = `reading ${escapeUnprintable(source)}`;
  if (objects) return `${subject}: ${objects.readCount.toLocaleString('en')} of ${objects.count.toLocaleString('en')} objects ...`;
  return readBytes === undefined ? `${subject} ...` : `${subject}: ${(readBytes / 2 ** 20).toFixed(0)} MiB ...`;
}
