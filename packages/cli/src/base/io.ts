import type { SteadyClock } from 'kube-endpoints/port';

/** The command line's access to its environment. `bin.ts` passes the process; tests pass fakes without disk or terminal. */
export interface IO {
  readonly stdin: AsyncIterable<Uint8Array>;
  /** True if standard input is a pipe or a file that is not empty, so that it may hold objects. */
  readonly isStdinPiped?: boolean;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly files: Files;
  /** By default the clock of the system. */
  readonly clock?: SteadyClock;
  readonly version: string;
  /**
   * Resolves when the process receives a signal to stop; the caller must then clean up and return. A signal before the first call ends the
   * process at once, so call it before printing that the command is ready.
   */
  untilStopped(): Promise<void>;
  /** Calls `callback` on each signal to reload configuration; absent if the platform has no such signal. Returns an unsubscribe function. */
  onHangup?(callback: () => void): () => void;
}

export interface Output {
  write(text: string): void;
  readonly isTTY: boolean;
  /** Terminal width in columns; undefined if this is not a terminal. */
  readonly columns?: number | undefined;
  /** True if written data is buffered and waits for 'drain'. */
  readonly writableNeedDrain?: boolean;
}

/** The file system, read-only. Errors carry a `code` such as "ENOENT", as Node's do. */
export interface Files {
  readFile(path: string): AsyncIterable<Uint8Array>;
  /** The entries of a directory in any order; undefined if the path is a file. */
  readDir(path: string): Promise<readonly DirectoryEntry[] | undefined>;
  /** When a file was written, in milliseconds since the epoch; absent if the files have no such times. */
  modifiedAt?(path: string): Promise<number>;
}

export interface DirectoryEntry {
  readonly name: string;
  readonly isDirectory: boolean;
}

/** Exit codes, as for `kubectl diff`. */
export const exitCodes = { nothing: 0, found: 1, error: 2 } as const;

/** Writes one line for the user to standard error. */
export type PrintMessage = (prefix: 'error' | 'hint', text: string) => void;

/** An error that the user must fix. Printed as one line; the exit code is 2. */
export class UsageError extends Error {}
