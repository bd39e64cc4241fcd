import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { commandInNamespace } from '../proxy/namespaces.ts';
import type { NodeNetwork } from './network.ts';
import { requestMs } from './prediction.ts';

/** A request that failed. Times are milliseconds since the epoch. */
export interface FailedRequest {
  readonly start: number;
  readonly end: number;
  readonly code: string;
}

/** The requests of all clients of a row. */
export interface ClientReport {
  readonly sent: number;
  readonly succeeded: number;
  readonly failures: readonly FailedRequest[];
}

export interface Clients {
  /** Requests so far. */
  report(): ClientReport;
  /** Resolves when every client has succeeded for a while. */
  untilWarm(): Promise<void>;
  stop(): Promise<void>;
}

export interface ClientOptions {
  readonly nodes: readonly NodeNetwork[];
  readonly address: string;
  readonly port: number;
  /** Requests per second of all clients. */
  readonly rate: number;
  readonly keepAlive: boolean;
}

/** The number of reports without a failure, one after another, after which a client is warm. */
const warmReports = 5;

/** Starts a client on each node. */
export function startClients({ nodes, address, port, rate, keepAlive }: ClientOptions): Clients {
  const total = { sent: 0, succeeded: 0, failures: [] as FailedRequest[] };
  const warm = nodes.map(() => 0);
  const { promise: isWarm, resolve } = Promise.withResolvers<void>();
  const children = nodes.map(({ name }, index) => {
    const program = join(import.meta.dirname, 'client.mjs');
    const parameters = [address, String(port), String(rate / nodes.length), String(requestMs), String(keepAlive)];
    const [command, ...words] = commandInNamespace(name, [process.execPath, program, ...parameters]);
    const child = spawn(command, words, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], detached: true });
    child.on('message', ({ sent, succeeded, failures }: ClientReport) => {
      total.sent += sent;
      total.succeeded += succeeded;
      total.failures.push(...failures);
      warm[index] = failures.length === 0 && succeeded > 0 ? (warm[index] ?? 0) + 1 : 0;
      if (warm.every((count) => count >= warmReports)) resolve();
    });
    return child;
  });
  return {
    report: () => ({ ...total, failures: [...total.failures] }),
    untilWarm: () => isWarm,
    async stop() {
      for (const child of children) child.disconnect();
      await Promise.all(children.map((child) => child.exitCode ?? once(child, 'exit')));
    },
  };
}
