/** A kubectl command and its expected output. */
export interface Command {
  /** Without "kubectl"; single quotes group words. */
  readonly line: string;
  readonly stdin?: string;
  /** The expected exit code; 0 by default. */
  readonly code?: number;
  /** Required parts of the output, including stderr. */
  readonly shows: readonly (string | RegExp)[];
  /** Forbidden parts of the output. */
  readonly lacks?: readonly string[];
  /** Commands to run once this one has printed `after` lines; it is stopped once it has printed `until` lines. */
  readonly during?: { readonly after: number; readonly lines: readonly string[]; readonly until: number };
  /** The value of EDITOR. */
  readonly editor?: string;
  /** Why the output differs from that of a real server. */
  readonly differs?: string;
}

export interface Chapter {
  readonly name: string;
  readonly commands: readonly Command[];
}

export const k = (line: string, ...shows: readonly (string | RegExp)[]): Command => ({ line, shows });

/** With a file on standard input: objects as JSON, or text unchanged. */
export const withInput = (input: string | object, command: Command): Command => ({
  ...command,
  stdin: typeof input === 'string' ? input : JSON.stringify(input),
});

export const failing = (command: Command, code = 1): Command => ({ ...command, code });

/** Not compared with a real server, for this reason. */
export const withKnownDifference = (reason: string, command: Command): Command => ({ ...command, differs: reason });

/** Splits at spaces outside of single quotes. */
export function splitWords(line: string): string[] {
  return [...line.matchAll(/(?:'[^']*'|[^\s'])+/g)].map(([word]) => word.replaceAll("'", ''));
}
