import { parseArguments } from '../src/command-line.ts';
import { commands } from '../src/main.ts';

/** What a command line is understood as, and what is printed meanwhile. */
export interface Parsed {
  readonly invocation?: object | undefined;
  readonly error?: unknown;
  readonly stdout: string;
  readonly stderr: string;
}

/** Reads a command line without running it. @param columns of the terminal */
export async function parse(argv: readonly string[], columns?: number): Promise<Parsed> {
  const written = { stdout: '', stderr: '' };
  const output = (stream: 'stdout' | 'stderr') => ({
    write: (text: string) => {
      written[stream] += text;
    },
    isTTY: true,
    columns,
  });
  const io = { stdout: output('stdout'), stderr: output('stderr'), version: '9.8.7' };
  try {
    return { invocation: (await parseArguments(argv, commands, io))?.invocation, ...written };
  } catch (error) {
    return { error, ...written };
  }
}

/** The same for a command line as text; words are separated by spaces. */
export const parseLine = (text: string): Promise<Parsed> => parse(text.split(' '));
