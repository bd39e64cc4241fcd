import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { findFreePort } from '../../../test/support/free-port.ts';

const CLI_PATH = join(import.meta.dirname, '..', '..', '..', 'packages', 'cli', 'dist', 'bin.js');
const JUMPING_CLOCK = join(import.meta.dirname, 'jumping-clock.mjs');
/** A busy machine may answer slowly. */
const TIMEOUT_MS = 20_000;

/** A line of a replica's log. */
export interface LogLine {
  readonly level: string | number;
  readonly time: string | number;
  readonly msg?: string;
  readonly [key: string]: unknown;
}

/** `kubectl-endpoints run` in its own process. */
export interface Replica {
  readonly child: ChildProcess;
  readonly log: readonly LogLine[];
  /** The writes that the replica logged. */
  loggedWrites(): readonly LogLine[];
  /** Whether caches are synced and queues are empty. */
  idle(): Promise<boolean>;
  leads(): Promise<boolean>;
  metric(name: string): Promise<number>;
  kill(signal: NodeJS.Signals): void;
  /** Shuts the process down and returns its exit code. */
  stop(): Promise<number | null>;
}

export async function startReplica(kubeconfig: string, flags: readonly string[] = []): Promise<Replica> {
  const port = await findFreePort();
  const args = ['--import', JUMPING_CLOCK, CLI_PATH, 'run', '--kubeconfig', kubeconfig, '--metrics-port', String(port)];
  const child = spawn(process.execPath, [...args, '--log-format', 'json', '--log-level', 'info', ...flags], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const log: LogLine[] = [];
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  for (const stream of [child.stdout, child.stderr]) readLines(stream, (line) => log.push(parseLine(line)));
  const metrics = async (): Promise<string> => {
    try {
      return await (await fetch(`http://127.0.0.1:${port}/metrics`, { signal: AbortSignal.timeout(TIMEOUT_MS) })).text();
    } catch {
      return '';
    }
  };
  const sum = (text: string, name: string): number =>
    [...text.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'gm'))].reduce((total, [, value]) => total + Number(value), 0);
  return {
    child,
    log,
    loggedWrites: () => log.filter(({ msg }) => msg === 'written'),
    async idle() {
      try {
        const response = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
        if (!response.ok) return false;
        const text = await metrics();
        return sum(text, 'workqueue_depth') + sum(text, 'controller_runtime_active_workers') === 0;
      } catch {
        return false;
      }
    },
    leads: async () => sum(await metrics(), 'leader_election_master_status') === 1,
    metric: async (name) => sum(await metrics(), name),
    kill: (signal) => void child.kill(signal),
    async stop() {
      child.kill('SIGTERM');
      const killTimer = setTimeout(() => child.kill('SIGKILL'), 20_000);
      const code = await exited;
      clearTimeout(killTimer);
      return code;
    },
  };
}

/** Polls until the condition holds. @throws Error after limitMs */
export async function waitUntil(description: string, condition: () => Promise<boolean> | boolean, limitMs = 120_000): Promise<void> {
  const deadline = Date.now() + limitMs;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`timed out after ${limitMs / 1000} s: ${description}`);
    await pause(250);
  }
}

function readLines(stream: NodeJS.ReadableStream | null, onLine: (line: string) => void): void {
  let incompleteLine = '';
  stream?.on('data', (chunk: Buffer) => {
    const lines = (incompleteLine + chunk.toString('utf8')).split('\n');
    incompleteLine = lines.pop() ?? '';
    for (const line of lines) onLine(line);
  });
}

function parseLine(line: string): LogLine {
  try {
    return JSON.parse(line) as LogLine;
  } catch {
    return { level: 'error', time: 0, msg: line };
  }
}
