import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { get } from 'node:http';
import { join } from 'node:path';
import { type ApplicationSettings, applicationDefaults, type StartApplication } from '@kube-endpoints/simulator/internal';
import { commandInNamespace } from '../proxy/namespaces.ts';
import { appPort } from './manifests.ts';
import type { RealClock } from './real-clock.ts';

/** How the process of a pod behaves. */
interface ProcessSettings extends Pick<ApplicationSettings, 'onTerminate' | 'isReadyWhileDraining'> {
  readonly address: string;
  readonly port: number;
  /** When it begins to listen, in milliseconds since the epoch. */
  readonly openAt: number;
  /** Milliseconds from the signal until it refuses connections. */
  readonly drainMs: number;
  readonly closingMs: number;
  /** Milliseconds from then on until it exits. */
  readonly exitMs: number;
}

/** Processes of a node that have started and wait for their settings, so that the start of a program takes no time when a pod needs one. */
export interface ProcessPool {
  /** The processes that run, also those that wait. */
  readonly running: ReadonlySet<ChildProcess>;
  /** Takes a process out of the pool. @throws Error if none waits */
  take(): ChildProcess;
  /** Starts processes until so many wait. */
  fill(count: number): Promise<void>;
}

export function createProcessPool(node: string): ProcessPool {
  const running = new Set<ChildProcess>();
  const waiting: ChildProcess[] = [];
  const program = join(import.meta.dirname, 'pod.mjs');
  const start = async (): Promise<void> => {
    // In a session of its own, because Linux shares the CPUs of a busy machine among sessions.
    const [command, ...words] = commandInNamespace(node, [process.execPath, program]);
    const child = spawn(command, words, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], detached: true });
    running.add(child);
    child.once('exit', () => running.delete(child));
    await once(child, 'message');
    waiting.push(child);
  };
  return {
    running,
    take() {
      const child = waiting.shift();
      if (!child) throw new Error(`no process waits on ${node}`);
      return child;
    },
    async fill(count) {
      while (waiting.length < count) await start();
    },
  };
}

export interface ProcessOptions {
  readonly clock: RealClock;
  readonly settings: Partial<ApplicationSettings>;
  readonly pool: ProcessPool;
  /** The address of a pod, by its UID. */
  addressOf(podUid: string): string;
}

/** How often a server's health is read, in milliseconds. */
const healthPeriodMs = 100;

/** Starts real processes as applications: they get real signals, and their health is read over HTTP. */
export const createProcesses =
  ({ clock, settings, pool, addressOf }: ProcessOptions): StartApplication =>
  ({ pod, podUid, container }, host) => {
    const { onTerminate, drainSeconds, isReadyWhileDraining } = { ...applicationDefaults, ...settings };
    const actor = `application/${pod}/${container}`;
    const address = addressOf(podUid);
    const openAt = clock.now() + clock.draw({ name: 'applicationStart', actor });
    const process = pool.take();
    process.send({
      ...{ address, port: appPort, openAt, onTerminate, isReadyWhileDraining, drainMs: drainSeconds * 1000 },
      closingMs: clock.draw({ name: 'listenerClosing', actor }),
      exitMs: clock.draw({ name: 'applicationExit', actor }),
    } satisfies ProcessSettings);
    const health = followHealth(address);
    let isKilled = false;
    process.on('message', ({ lateMs }: { readonly lateMs: number }) => clock.noteLateness('the start of a process', lateMs));
    process.on('exit', (code) => {
      health.stop();
      if (isKilled) return;
      clock.catchUp();
      host.onExit(code ?? 1);
    });
    return {
      terminate: () => void process.kill('SIGTERM'),
      kill() {
        isKilled = true;
        process.kill('SIGKILL');
      },
      answers: () => health.isHealthy(),
    };
  };

/** Reads the health of a server again and again: a probe of the simulator's kubelet asks for the last answer. */
function followHealth(address: string): { isHealthy(): boolean; stop(): void } {
  let isHealthy = false;
  const timer = setInterval(() => {
    const request = get({ host: address, port: appPort, path: '/healthz', agent: false, timeout: 1000 }, (response) => {
      isHealthy = response.statusCode === 200;
      response.resume();
    });
    request.on('timeout', () => request.destroy());
    request.on('error', () => {
      isHealthy = false;
    });
  }, healthPeriodMs);
  return { isHealthy: () => isHealthy, stop: () => clearInterval(timer) };
}
