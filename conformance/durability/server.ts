import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

const bin = join(import.meta.dirname, '../../packages/cli/dist/bin.js');

/** A started command `apiserver`. */
export interface ServerProcess {
  /** Resolves when the server has printed its first line. @throws Error with its messages if it ends before */
  readonly ready: Promise<void>;
  /** Kills it with SIGKILL. Resolves when it has ended. */
  kill(): Promise<void>;
  /** Sends SIGTERM. Resolves to the exit code. */
  stop(): Promise<number | null>;
}

/** Starts the built command line with further flags. */
export function startServer(...flags: readonly string[]): ServerProcess {
  const child = spawn(process.execPath, [bin, 'apiserver', ...flags], { stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const ready = waitUntilReady(child);
  // A killed server never becomes ready.
  ready.catch(() => undefined);
  return {
    ready,
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
    async stop() {
      child.kill('SIGTERM');
      return (await exited)[0];
    },
  };
}

async function waitUntilReady(child: ChildProcess): Promise<void> {
  let messages = '';
  child.stderr?.on('data', (text: Buffer) => {
    messages += text.toString();
  });
  const isReady = await Promise.race([
    once(child.stdout as NodeJS.ReadableStream, 'data').then(() => true),
    once(child, 'close').then(() => false),
    setTimeout(maxStartMs, false, { ref: false }),
  ]);
  child.stdout?.resume();
  if (!isReady) throw new Error(`the server did not start: ${messages.trim() || 'no message'}`);
}

const maxStartMs = 60_000;
