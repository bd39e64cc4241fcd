/** A call of kubectl, and what is to be seen of it. */
export interface Command {
  /** Without "kubectl"; single quotes hold words together. */
  readonly line: string;
  readonly stdin?: string;
  /** The exit code; absent: 0. */
  readonly code?: number;
  /** What its output, errors included, has to have. */
  readonly shows: readonly (string | RegExp)[];
  /** What its output must not have. */
  readonly lacks?: readonly string[];
  /** Run while this one runs, once it has printed `after` lines; it is then stopped as soon as it has printed `until` lines. */
  readonly during?: { readonly after: number; readonly lines: readonly string[]; readonly until: number };
  /** What editor it finds. */
  readonly editor?: string;
  /** The output is not that of a real server, for a reason that is named. */
  readonly differs?: string;
}

export interface Chapter {
  readonly name: string;
  readonly commands: readonly Command[];
}

export const k = (line: string, ...shows: readonly (string | RegExp)[]): Command => ({ line, shows });

/** With a file on its standard input: objects as JSON, or text as it is. */
export const given = (input: string | object, command: Command): Command => ({
  ...command,
  stdin: typeof input === 'string' ? input : JSON.stringify(input),
});

export const failing = (command: Command, code = 1): Command => ({ ...command, code });

/** Compared with nothing but what it has to show, for this reason. */
export const differing = (reason: string, command: Command): Command => ({ ...command, differs: reason });

/** Words, apart at spaces that no single quotes are around. */
export function wordsOf(line: string): string[] {
  return [...line.matchAll(/(?:'[^']*'|[^\s'])+/g)].map(([word]) => word.replaceAll("'", ''));
}
