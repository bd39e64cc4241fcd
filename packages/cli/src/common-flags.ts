import type { Command } from 'commander';
import { givenFlags } from './given.ts';
import { readNamespace } from './object-names.ts';
import { pictureFormats } from './program-trace.ts';

/** What was asked for, as far as flags that every command has are concerned. */
export interface Asked {
  readonly command: string;
  readonly flags: { readonly output: string; readonly filename?: readonly string[] | undefined };
  /** Of `run`. */
  readonly once?: boolean;
}

/** A namespace as `-n` gives it; an empty one is as none, which scripts with empty variables count on. @throws InvalidArgumentError */
export const namespaceFlag = (text: string): string => (text === '' ? text : readNamespace(text));

/** The namespace that is asked for, where one is and not all are; undefined for all, in commands that look at all of them by default. */
export const namespaceAsked = (flags: { readonly namespace?: string; readonly allNamespaces?: boolean }): string | undefined =>
  flags.allNamespaces ? undefined : flags.namespace || undefined;

/** What is wrong with the flags that every command has, beside what is particular to this one. */
export function commonWrong(program: Command, asked: Asked): string | undefined {
  const { command, flags } = asked;
  const given = givenFlags(program);
  if (command !== 'trace' && pictureFormats.includes(flags.output))
    return `-o ${flags.output} is for trace: give table, wide, yaml or json`;
  if (given.includes('--output') && printsNothing(asked))
    return `-o is for commands that print objects: ${command} goes on and prints none${command === 'run' ? ' without --once' : ''}`;
  if (given.includes('--filename') && command.startsWith('webhook')) return `-f is for commands that read objects: ${command} reads none`;
  if (given.includes('--recursive') && !readsFolders(asked)) return '-R is for the directories of -f: give both';
  return undefined;
}

const printsNothing = (asked: Asked): boolean =>
  ['apiserver', 'dns', 'webhook'].includes(asked.command) || (asked.command === 'run' && !asked.once);

/** `proxy diff --after` looks into directories, too. */
const readsFolders = (asked: Asked): boolean => asked.flags.filename !== undefined || 'after' in asked || 'old' in asked;
