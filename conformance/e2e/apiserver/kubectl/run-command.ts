import { spawn } from 'node:child_process';
import type { Target } from '../target/target.ts';
import { type Command, splitWords } from './command.ts';

export interface CommandResult {
  readonly code: number;
  readonly text: string;
}

const TIMEOUT_MS = 120_000;

/** Runs a command against a target; `home` holds kubectl's discovery cache. */
export async function runCommand(target: Target, home: string, command: Command): Promise<CommandResult> {
  const child = spawn('kubectl', splitWords(command.line), {
    env: { PATH: process.env['PATH'], HOME: home, KUBECONFIG: target.kubeconfig, KUBE_EDITOR: command.editor ?? 'false', TZ: 'UTC' },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  // The order in which two streams are read is random, so stderr is appended to stdout.
  const outputs = ['', ''];
  const lineWatcher = watchLines(() => outputs.join(''));
  for (const [n, stream] of [child.stdout, child.stderr].entries()) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      outputs[n] += chunk;
      lineWatcher.update();
    });
  }
  const exited = new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      lineWatcher.end();
      resolve(code ?? 0);
    });
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), TIMEOUT_MS);
  child.stdin.on('error', () => {});
  child.stdin.end(command.stdin ?? '');
  if (command.during !== undefined) {
    await lineWatcher.waitForLines(command.during.afterLines);
    for (const line of command.during.commands) await runCommand(target, home, { line, shows: [] });
    await lineWatcher.waitForLines(command.during.untilLines);
    child.kill('SIGTERM');
  }
  const code = await exited;
  clearTimeout(timer);
  return { code: command.during === undefined ? code : 0, text: outputs.join('') };
}

/** Watches a growing text. `waitForLines` resolves once the text has a number of lines, or after `end`. Call `update` after each change. */
function watchLines(getText: () => string): { waitForLines(lineCount: number): Promise<void>; update(): void; end(): void } {
  let isEnded = false;
  let resume: (() => void) | undefined;
  const countLines = (): number => getText().split('\n').length - 1;
  return {
    async waitForLines(lineCount) {
      while (!isEnded && countLines() < lineCount) {
        await new Promise<void>((resolve) => {
          resume = resolve;
        });
      }
    },
    update: () => resume?.(),
    end() {
      isEnded = true;
      resume?.();
    },
  };
}
