import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { type IO, main } from 'kubectl-endpoints';
import { renderTerminal } from './terminal.ts';

const commandLine = 'kubectl endpoints explain -f examples/broken.yaml -n shop web';
const columns = 100;

/** `docs/explain.svg`: the answer to "Why does my Service not work?", as a terminal of 100 columns shows it. */
export async function explainPicture(): Promise<string> {
  const output = await runInTerminal(commandLine.split(' ').slice(2));
  return renderTerminal('Why does my Service not work? The output of kubectl endpoints explain', `$ ${commandLine}\n${output}`, columns);
}

/** Runs a command that reads files of the repository, in a terminal with colours. @throws Error if it prints an error */
async function runInTerminal(argv: readonly string[]): Promise<string> {
  const printed: string[] = [];
  const errors: string[] = [];
  const io: IO = {
    stdin: process.stdin,
    stdout: { isTTY: true, columns, write: (text) => void printed.push(text) },
    stderr: { isTTY: false, write: (text) => void errors.push(text) },
    env: {},
    files: {
      readFile: (path) => createReadStream(join(import.meta.dirname, '../..', path)),
      readDir: () => Promise.resolve(undefined),
    },
    version: '',
    untilStopped: () => Promise.resolve(),
  };
  await main(argv, io);
  const problems = errors.filter((line) => !line.startsWith('hint: '));
  if (problems.length > 0) throw new Error(problems.join(''));
  return printed.join('');
}
