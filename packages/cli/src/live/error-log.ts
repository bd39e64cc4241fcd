import { messageOf, redactSecrets } from 'kube-endpoints/internal/apimachinery';
import type { PrintMessage } from '../base/io.ts';

/** The part of a request that is printed. */
interface FailedRequest {
  readonly method: string;
  readonly path: string;
}

const maxLinesPerSpan = 10;
const spanMs = 10_000;

/** In characters. */
const maxPathLength = 200;
const maxStackLength = 2000;

/**
 * Creates a function that prints an internal error of the API server in one line, with the request and the stack. It prints at most ten
 * lines in ten seconds; the next line says how many were left out.
 * @param now returns milliseconds
 */
export function createErrorPrinter(
  printMessage: PrintMessage,
  now: () => number = Date.now,
): (error: unknown, request?: FailedRequest) => void {
  let spanEnd = Number.NEGATIVE_INFINITY;
  let lineCount = 0;
  let omittedCount = 0;
  return (error, request) => {
    if (now() >= spanEnd) {
      spanEnd = now() + spanMs;
      lineCount = 0;
    }
    lineCount += 1;
    if (lineCount > maxLinesPerSpan) {
      omittedCount += 1;
      return;
    }
    const omission = omittedCount > 0 ? ` (${omittedCount} more errors were not printed)` : '';
    omittedCount = 0;
    printMessage('error', `${formatSubject(request)} failed: ${formatStack(error)}${omission}`);
  };
}

const formatSubject = (request: FailedRequest | undefined): string =>
  request ? `${request.method} ${request.path.slice(0, maxPathLength)}` : 'the API server';

/** Formats an error and its stack as one line. */
function formatStack(error: unknown): string {
  const text = error instanceof Error && error.stack !== undefined ? error.stack : messageOf(error);
  const lines = text.split('\n').map((line) => line.trim());
  return redactSecrets(lines.join(' | ').slice(0, maxStackLength));
}
