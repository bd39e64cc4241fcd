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
  /** Other commands to run once this one has printed `afterLines` lines. This one is stopped once it has printed `untilLines` lines. */
  readonly during?: { readonly afterLines: number; readonly commands: readonly string[]; readonly untilLines: number };
  /** The value of EDITOR. */
  readonly editor?: string;
  /** The reason why the output differs from that of a real server. If set, the two outputs are not compared. */
  readonly knownDifference?: string;
}

export interface CommandGroup {
  readonly name: string;
  readonly commands: readonly Command[];
}

export const kubectl = (line: string, ...shows: readonly (string | RegExp)[]): Command => ({ line, shows });

/** Passes `input` on standard input: an object as JSON, text unchanged. */
export const withInput = (input: string | object, command: Command): Command => ({
  ...command,
  stdin: typeof input === 'string' ? input : JSON.stringify(input),
});

export const expectFailure = (command: Command, code = 1): Command => ({ ...command, code });

/** Prevents the comparison of the output with that of a real server. `reason` says why they differ. */
export const withKnownDifference = (reason: string, command: Command): Command => ({ ...command, knownDifference: reason });

/** Splits at spaces outside of single quotes. */
export function splitWords(line: string): string[] {
  return [...line.matchAll(/(?:'[^']*'|[^\s'])+/g)].map(([word]) => word.replaceAll("'", ''));
}
