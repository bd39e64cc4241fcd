import type { Clock } from 'kube-endpoints/port';
import type { Output } from '../io.ts';
import type { LogOutput } from './command-log.ts';

/**
 * A line at the foot of a terminal that is rewritten in place, below all that is written through it. Nothing of the kind is written where
 * there is no terminal.
 */
export interface StatusLine extends LogOutput {
  /** Shows the line anew, soon. */
  refresh(): void;
  /** Writes whole lines above it. */
  write(text: string): void;
  /** Takes it away. */
  close(): void;
}

/** @param text what the line says at the moment; asked when it is written */
export function createStatusLine(output: Output, clock: Clock, text: () => string): StatusLine {
  let due: ReturnType<Clock['schedule']> | undefined;
  let closed = !output.isTTY;
  const draw = (): void => {
    if (!output.writableNeedDrain) output.write(`${clearLine}${text().slice(0, (output.columns ?? 80) - 1)}`);
  };
  return {
    isTTY: output.isTTY,
    get writableNeedDrain() {
      return output.writableNeedDrain ?? false;
    },
    refresh() {
      if (due || closed) return;
      due = clock.schedule(() => {
        due = undefined;
        draw();
      }, period);
    },
    write(lines) {
      if (closed) return output.write(lines);
      output.write(`${clearLine}${lines}`);
      draw();
    },
    close() {
      if (closed) return;
      closed = true;
      due?.cancel();
      output.write(clearLine);
    },
  };
}

const clearLine = '\r\u001b[K';

/** Milliseconds between one writing and the next: faster than this nobody reads. */
const period = 100;
