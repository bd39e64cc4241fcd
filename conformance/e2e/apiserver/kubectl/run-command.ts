import { spawn } from 'node:child_process';
import type { Target } from '../target/target.ts';
import { type Command, splitWords } from './command.ts';

export interface Printed {
  readonly code: number;
  readonly text: string;
}

const TIMEOUT_MS = 120_000;

/** Runs a command against a target; `home` holds kubectl's discovery cache. */
export async function runCommand(target: Target, home: string, command: Command): Promise<Printed> {
  const child = spawn('kubectl', splitWords(command.line), {
    env: { PATH: process.env['PATH'], HOME: home, KUBECONFIG: target.kubeconfig, KUBE_EDITOR: command.editor ?? 'false', TZ: 'UTC' },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  // The order in which two streams are read is random, so stderr is appended to stdout.
  const texts = ['', ''];
  const watched = watchLines(() => texts.join(''));
  for (const [n, stream] of [child.stdout, child.stderr].entries()) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      texts[n] += chunk;
      watched.look();
    });
  }
  const ended = new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      watched.end();
      resolve(code ?? 0);
    });
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), TIMEOUT_MS);
  child.stdin.on('error', () => {});
  child.stdin.end(command.stdin ?? '');
  if (command.during !== undefined) {
    await watched.reaches(command.during.after);
    for (const line of command.during.lines) await runCommand(target, home, { line, shows: [] });
    await watched.reaches(command.during.until);
    child.kill('SIGTERM');
  }
  const code = await ended;
  clearTimeout(timer);
  return { code: command.during === undefined ? code : 0, text: texts.join('') };
}

/** Waits for a growing text to reach a number of lines, or to end. */
function watchLines(text: () => string): { reaches(lines: number): Promise<void>; look(): void; end(): void } {
  let ended = false;
  let waiting: (() => void) | undefined;
  const count = (): number => text().split('\n').length - 1;
  return {
    async reaches(lines) {
      while (!ended && count() < lines) {
        await new Promise<void>((resolve) => {
          waiting = resolve;
        });
      }
    },
    look: () => waiting?.(),
    end() {
      ended = true;
      waiting?.();
    },
  };
}
