import { type ChildProcess, spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Subject } from './commands.ts';

export type StopSignal = 'SIGINT' | 'SIGTERM';

/** When a signal arrives: before the first line, as soon as it is read, later, or a second one during the shutdown. */
export type Phase = 'startup' | 'line' | 'work' | 'shutdown';

export interface Attempt {
  readonly subject: Subject;
  readonly signal: StopSignal;
  readonly phase: Phase;
  /** Milliseconds after the start of the phase. */
  readonly delay: number;
  readonly port: number;
  /** The exit code of this command when nothing disturbs it. */
  readonly usual: number;
}

export interface Outcome {
  /** "0", "143", "SIGTERM". */
  readonly end: string;
  /** Undefined if everything is as it should be. */
  readonly problem?: string | undefined;
}

const bin = join(import.meta.dirname, '../../packages/cli/dist/bin.js');
const codes: Readonly<Record<StopSignal, number>> = { SIGINT: 130, SIGTERM: 143 };
const maxShutdownMs = 20_000;

/** Starts a command, sends the signals, and checks how it ends and what it leaves behind. */
export async function attempt(given: Attempt): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'signals-'));
  mkdirSync(join(folder, 'tmp'));
  const child = start(given.subject, given.port, folder);
  try {
    const ended = endOf(child);
    const signalled = await disturb(child, ended, given);
    const end = await Promise.race([ended, setTimeout(maxShutdownMs, undefined, { ref: false })]);
    if (end === undefined) return { end: 'none', problem: `is still running ${maxShutdownMs / 1000} s after the signal` };
    return { end: String(end), problem: problemOfEnd(end, signalled, given) ?? (await problemOfRest(folder, child, given)) };
  } finally {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
}

/** How long an undisturbed command takes to its first line, or to its end, and with which exit code it ends. */
export async function measure(subject: Subject, port: number): Promise<{ readonly milliseconds: number; readonly usual: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'signals-'));
  mkdirSync(join(folder, 'tmp'));
  const begin = performance.now();
  const child = start(subject, port, folder);
  const ended = endOf(child);
  if (subject.serves) await Promise.race([firstOutput(child), ended]);
  else await ended;
  const milliseconds = performance.now() - begin;
  child.kill('SIGTERM');
  const usual = Number(await ended);
  rmSync(folder, { recursive: true, force: true });
  return { milliseconds, usual };
}

/** In a process group of its own, so that processes that it leaves behind are found. */
function start(subject: Subject, port: number, cwd: string): ChildProcess {
  const child = spawn(process.execPath, [bin, ...subject.argv(port)], {
    cwd,
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { PATH: process.env['PATH'], TMPDIR: join(cwd, 'tmp') },
  });
  // An output that is not read fills the pipe, and the command would wait forever.
  child.stdout?.resume();
  return child;
}

const endOf = (child: ChildProcess): Promise<number | NodeJS.Signals> =>
  new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(signal ?? code ?? 0));
  });

const firstOutput = (child: ChildProcess): Promise<void> => new Promise((resolve) => child.stdout?.once('data', () => resolve()));

/** Sends the signals. True if one was sent after the first line, when the command had said that it is ready. */
async function disturb(child: ChildProcess, ended: Promise<unknown>, { subject, signal, phase, delay }: Attempt): Promise<boolean> {
  const line = firstOutput(child).then(() => true);
  if (!subject.serves || phase === 'startup') {
    const isReady = await Promise.race([setTimeout(delay, false), line]);
    child.kill(signal);
    return subject.serves && isReady;
  }
  await Promise.race([line, ended]);
  if (phase === 'work') await setTimeout(delay);
  child.kill(signal);
  if (phase !== 'shutdown') return true;
  await setTimeout(delay);
  child.kill(signal);
  return true;
}

function problemOfEnd(end: number | NodeJS.Signals, wasReady: boolean, { subject, signal, phase, usual }: Attempt): string | undefined {
  // Node itself dies of a signal that arrives before the first statement of the program, or while it exits.
  const allowed: readonly (number | string)[] = wasReady && phase !== 'shutdown' ? [0] : [0, codes[signal], signal];
  if (allowed.includes(end) || (!subject.serves && end === usual)) return undefined;
  return `ended with ${end}, expected ${allowed.join(' or ')}`;
}

/** What remains: files, a listening socket, processes. */
async function problemOfRest(folder: string, child: ChildProcess, { subject, port }: Attempt): Promise<string | undefined> {
  const { creates = [] } = subject;
  const files = readdirSync(folder).filter((name) => name !== 'tmp' && !creates.includes(name));
  const left = [...files, ...readdirSync(join(folder, 'tmp')).map((name) => `tmp/${name}`)];
  if (left.length > 0) return `left ${left.join(', ')}`;
  const incomplete = creates.map((name) => problemOfFile(join(folder, name), name)).find((problem) => problem !== undefined);
  if (incomplete !== undefined) return incomplete;
  if (subject.serves && !(await isFree(port))) return `port ${port} is still in use`;
  if (isGroupAlive(child.pid as number)) return 'left a process running';
  return undefined;
}

function problemOfFile(path: string, name: string): string | undefined {
  if (!existsSync(path)) return undefined;
  if (name === 'kubeconfig') {
    const text = readFileSync(path, 'utf8');
    return text.startsWith('apiVersion: v1\n') && text.includes('\ncurrent-context: ') && text.endsWith('\n')
      ? undefined
      : 'half a kubeconfig';
  }
  const files = readdirSync(path).sort();
  if (files.length > 0 && files.join() !== 'ca.crt,tls.crt,tls.key') return `${name} holds ${files.join(', ')}`;
  const isComplete = (text: string): boolean => text.startsWith('-----BEGIN ') && text.endsWith('-----\n');
  const cut = files.find((file) => !isComplete(readFileSync(join(path, file), 'utf8')));
  return cut === undefined ? undefined : `${name}/${cut} is incomplete`;
}

async function isFree(port: number): Promise<boolean> {
  const isTcpFree = await new Promise<boolean>((resolve) => {
    const server = createServer()
      .once('error', () => resolve(false))
      .listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
  const isUdpFree = await new Promise<boolean>((resolve) => {
    const socket = createSocket('udp4').once('error', () => resolve(false));
    socket.bind(port, '127.0.0.1', () => socket.close(() => resolve(true)));
  });
  return isTcpFree && isUdpFree;
}

function isGroupAlive(pid: number): boolean {
  try {
    process.kill(-pid, 0);
    return true;
  } catch {
    return false;
  }
}
