/** Everything that the command line touches outside itself. `bin.ts` wires it to the process; tests need neither disk nor terminal. */
export interface IO {
  readonly stdin: AsyncIterable<Uint8Array>;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly files: Files;
  /** The version of this package. */
  readonly version: string;
  /**
   * Resolves when the process is asked to end. From the first call on the caller has to clean up and return; until then a signal ends the
   * process at once, so call it before the first line that says that the command is ready.
   */
  untilStopped(): Promise<void>;
  /** Calls back whenever the process is asked to read its configuration anew, where it can be. Returns how to stop that. */
  onHangup?(callback: () => void): () => void;
}

export interface Output {
  write(text: string): void;
  readonly isTTY: boolean;
  /** The width of the terminal, where it is one. */
  readonly columns?: number | undefined;
  /** Whether what is written waits for a reader. */
  readonly writableNeedDrain?: boolean;
}

/** The part of a file system that is read. Errors carry a `code` such as "ENOENT", as Node's do. */
export interface Files {
  readFile(path: string): AsyncIterable<Uint8Array>;
  /** The entries of a directory in any order, or undefined where the path is a file. */
  readDir(path: string): Promise<readonly DirectoryEntry[] | undefined>;
}

export interface DirectoryEntry {
  readonly name: string;
  readonly isDirectory: boolean;
}

/** The exit codes, as `kubectl diff` has them. */
export const exitCodes = { nothing: 0, found: 1, error: 2 } as const;

/** Tells the user something, in a line on standard error. */
export type Tell = (prefix: 'error' | 'hint', text: string) => void;

/** An error that is the user's to mend: one line, exit code 2. */
export class UsageError extends Error {}
