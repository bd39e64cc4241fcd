import { parseArguments } from '../src/command-line.ts';
import { commands } from '../src/main.ts';

/** The result of parsing a command line, and what the parser printed. */
export interface ParsedLine {
  readonly invocation?: object | undefined;
  readonly error?: unknown;
  readonly stdout: string;
  readonly stderr: string;
}

/** Parses a command line without running it. @param columns width of the terminal */
export async function parse(argv: readonly string[], columns?: number): Promise<ParsedLine> {
  const outputs = { stdout: '', stderr: '' };
  const createOutput = (stream: 'stdout' | 'stderr') => ({
    write: (text: string) => {
      outputs[stream] += text;
    },
    isTTY: true,
    columns,
  });
  const io = { stdout: createOutput('stdout'), stderr: createOutput('stderr'), version: '9.8.7' };
  try {
    return { invocation: (await parseArguments(argv, commands, io))?.invocation, ...outputs };
  } catch (error) {
    return { error, ...outputs };
  }
}

/** Parses a command line given as text with words separated by spaces. */
export const parseLine = (text: string): Promise<ParsedLine> => parse(text.split(' '));
