import { type ChildProcess, spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { TestedCommand } from './commands.ts';

export type StopSignal = 'SIGINT' | 'SIGTERM';

/** When a signal arrives: before the first line, as soon as it is read, later, or a second one during the shutdown. */
export type Phase = 'startup' | 'line' | 'work' | 'shutdown';

export interface Attempt {
  readonly command: TestedCommand;
  readonly signal: StopSignal;
  readonly phase: Phase;
  /** Milliseconds after the start of the phase. */
  readonly delay: number;
  readonly port: number;
  /** The exit code of the command without a signal. */
  readonly undisturbedExitCode: number;
}

export interface Outcome {
  /** The exit code or the signal that ended the process, such as "0" or "SIGTERM"; "none" if it is still running. */
  readonly end: string;
  /** Undefined if the attempt passed. */
  readonly problem?: string | undefined;
}

const bin = join(import.meta.dirname, '../../packages/cli/dist/bin.js');
const exitCodeBySignal: Readonly<Record<StopSignal, number>> = { SIGINT: 130, SIGTERM: 143 };
const maxShutdownMs = 20_000;

/** Starts a command, sends the signals, and checks its exit code and that no files, sockets or processes remain. */
export async function attempt(options: Attempt): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'signals-'));
  mkdirSync(join(folder, 'tmp'));
  const child = start(options.command, options.port, folder);
  try {
    const exit = waitForExit(child);
    const wasReady = await sendSignals(child, exit, options);
    const end = await Promise.race([exit, setTimeout(maxShutdownMs, undefined, { ref: false })]);
    if (end === undefined) return { end: 'none', problem: `is still running ${maxShutdownMs / 1000} s after the signal` };
    return { end: String(end), problem: problemOfExit(end, wasReady, options) ?? (await problemOfLeftovers(folder, child, options)) };
  } finally {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Measures the time until a server prints its first line, or until any other command ends, and the exit code without disturbance. */
export async function measure(
  command: TestedCommand,
  port: number,
): Promise<{ readonly milliseconds: number; readonly undisturbedExitCode: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'signals-'));
  mkdirSync(join(folder, 'tmp'));
  const begin = performance.now();
  const child = start(command, port, folder);
  const exit = waitForExit(child);
  if (command.serves) await Promise.race([firstOutput(child), exit]);
  else await exit;
  const milliseconds = performance.now() - begin;
  child.kill('SIGTERM');
  const undisturbedExitCode = Number(await exit);
  rmSync(folder, { recursive: true, force: true });
  return { milliseconds, undisturbedExitCode };
}

/** Starts the command in its own process group, so that remaining child processes can be detected. */
function start(command: TestedCommand, port: number, cwd: string): ChildProcess {
  const child = spawn(process.execPath, [bin, ...command.argv(port)], {
    cwd,
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
    // The compile cache of Node.js is meant to stay.
    env: { PATH: process.env['PATH'], TMPDIR: join(cwd, 'tmp'), NODE_DISABLE_COMPILE_CACHE: '1' },
  });
  // An output that is not read fills the pipe, and the command would wait forever.
  child.stdout?.resume();
  return child;
}

const waitForExit = (child: ChildProcess): Promise<number | NodeJS.Signals> =>
  new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(signal ?? code ?? 0));
  });

const firstOutput = (child: ChildProcess): Promise<void> => new Promise((resolve) => child.stdout?.once('data', () => resolve()));

/** Sends the signals. Resolves to true if one was sent after the first line, by which a server reports that it is ready. */
async function sendSignals(child: ChildProcess, exit: Promise<unknown>, { command, signal, phase, delay }: Attempt): Promise<boolean> {
  const firstLine = firstOutput(child).then(() => true);
  if (!command.serves || phase === 'startup') {
    const isReady = await Promise.race([setTimeout(delay, false), firstLine]);
    child.kill(signal);
    return command.serves && isReady;
  }
  await Promise.race([firstLine, exit]);
  if (phase === 'work') await setTimeout(delay);
  child.kill(signal);
  if (phase !== 'shutdown') return true;
  await setTimeout(delay);
  child.kill(signal);
  return true;
}

function problemOfExit(
  end: number | NodeJS.Signals,
  wasReady: boolean,
  { command, signal, phase, undisturbedExitCode }: Attempt,
): string | undefined {
  // A signal ends Node by default before the first statement of the program, and while Node exits.
  const allowedEnds: readonly (number | string)[] = wasReady && phase !== 'shutdown' ? [0] : [0, exitCodeBySignal[signal], signal];
  if (allowedEnds.includes(end) || (!command.serves && end === undisturbedExitCode)) return undefined;
  return `ended with ${end}, expected ${allowedEnds.join(' or ')}`;
}

/** Returns a problem if the command left files, an incomplete file, a listening socket or a process. */
async function problemOfLeftovers(folder: string, child: ChildProcess, { command, port }: Attempt): Promise<string | undefined> {
  const { creates = [] } = command;
  const files = readdirSync(folder).filter((name) => name !== 'tmp' && !creates.includes(name));
  const leftovers = [...files, ...readdirSync(join(folder, 'tmp')).map((name) => `tmp/${name}`)];
  if (leftovers.length > 0) return `left ${leftovers.join(', ')}`;
  const incomplete = creates.map((name) => problemOfFile(join(folder, name), name)).find((problem) => problem !== undefined);
  if (incomplete !== undefined) return incomplete;
  if (command.serves && !(await isPortFree(port))) return `port ${port} is still in use`;
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
  const isCompletePem = (text: string): boolean => text.startsWith('-----BEGIN ') && text.endsWith('-----\n');
  const truncated = files.find((file) => !isCompletePem(readFileSync(join(path, file), 'utf8')));
  return truncated === undefined ? undefined : `${name}/${truncated} is incomplete`;
}

async function isPortFree(port: number): Promise<boolean> {
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
