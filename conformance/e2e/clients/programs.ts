import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createJournal } from '../apiserver/client-node/check.ts';
import { runCommand } from '../apiserver/kubectl/run-command.ts';
import { stopProcess, type Target } from '../apiserver/target/target.ts';

/** A client program that runs in its own process. */
export interface Program {
  /** Resolves once a line of the output contains the text. @throws Error with the last lines if the process ends before */
  printed(text: string): Promise<void>;
  /** Sends SIGTERM and resolves to the exit code. */
  stop(): Promise<number | null>;
}

const MAX_SHOWN_LINES = 20;

export function startProgram(
  binary: string,
  args: readonly string[],
  { env = {}, cwd }: { readonly env?: NodeJS.ProcessEnv; readonly cwd?: string } = {},
): Program {
  const child = spawn(binary, args, { env: { ...process.env, ...env }, cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  const journal = createJournal<string>();
  // A program that no check stops, because the check failed, ends with this process.
  process.once('exit', () => child.kill());
  let isEnded = false;
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => journal.add(text));
  child.once('close', () => {
    isEnded = true;
    journal.add('');
  });
  return {
    async printed(text) {
      await journal.waitFor((entries) => isEnded || entries.join('').includes(text));
      const output = journal.entries.join('');
      const lastLines = (): string => output.split('\n').slice(-MAX_SHOWN_LINES).join('\n');
      if (!output.includes(text)) throw new Error(`${binary} ended without printing ${JSON.stringify(text)}:\n${lastLines()}`);
    },
    async stop() {
      await stopProcess(child);
      return child.exitCode;
    },
  };
}

/** Runs kubectl commands that must succeed. */
export interface Kubectl {
  /** Resolves to the output. `input` is passed on standard input: an object as JSON, text unchanged. @throws AssertionError with the output */
  (line: string, input?: string | object): Promise<string>;
  /** Resolves to the output of a command that must fail. */
  fails(line: string, input?: string | object): Promise<string>;
  close(): void;
}

export function createKubectl(target: Target): Kubectl {
  const home = mkdtempSync(join(tmpdir(), 'kube-endpoints-kubectl-'));
  const run = async (line: string, input: string | object, code: number): Promise<string> => {
    const stdin = typeof input === 'string' ? input : JSON.stringify(input);
    const result = await runCommand(target, home, { line, stdin, shows: [] });
    assert.equal(result.code, code, `kubectl ${line}: exit code ${result.code}\n${result.text}`);
    return result.text;
  };
  return Object.assign((line: string, input: string | object = '') => run(line, input, 0), {
    fails: (line: string, input: string | object = '') => run(line, input, 1),
    close: () => rmSync(home, { recursive: true, force: true }),
  });
}
