import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export type ServerKind = 'apiserver' | 'webhook' | 'dns';

export interface ServerAddress {
  readonly port: number;
  readonly ca: string;
  readonly token?: string;
}

/** In bytes, after a garbage collection. */
export interface Memory {
  readonly heap: number;
  readonly resident: number;
}

export interface ServerProcess extends ServerAddress {
  measureMemory(): Promise<Memory>;
  /** Resolves when the pods are created. */
  createPods(count: number): Promise<Memory>;
}

/** Runs `work` with a server in its own process, and stops the server in any case. */
export async function withServer<T>(kind: ServerKind, work: (server: ServerProcess) => Promise<T>): Promise<T> {
  const child = startProgram('server.ts', [kind], ['--expose-gc', '--max-old-space-size=8192']);
  const ask = async (message: 'memory' | { readonly pods: number }): Promise<Memory> => {
    child.send(message);
    return receive<Memory>(child);
  };
  try {
    const address = await receive<ServerAddress>(child);
    return await work({ ...address, measureMemory: () => ask('memory'), createPods: (pods) => ask({ pods }) });
  } finally {
    child.kill();
  }
}

/** Starts a program of this folder with the options of this process. */
export const startProgram = (file: string, args: readonly string[], execArgv: readonly string[] = []): ChildProcess =>
  fork(join(import.meta.dirname, file), args, { execArgv: [...process.execArgv, ...execArgv] });

/** Resolves to the next message. @throws Error if the process ends first */
export async function receive<T>(child: ChildProcess): Promise<T> {
  const ended = once(child, 'exit').then(([code]) => Promise.reject(new Error(`${child.spawnfile} ended with ${code}`)));
  const [message] = await Promise.race([once(child, 'message'), ended]);
  return message as T;
}
