import type { ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';

/** An API server on loopback, real or ours, with its certificate and a token. */
export interface Target {
  readonly name: string;
  /** Without a trailing slash. */
  readonly url: string;
  /** The certificate authority, PEM. */
  readonly ca: string;
  readonly token: string;
  /** A file path. */
  readonly kubeconfig: string;
  stop(): Promise<void>;
}

export type TargetName = 'real' | 'ours';

/** Writes a kubeconfig for other clients. */
export function writeKubeconfig(file: string, { url, caFile, token }: { url: string; caFile: string; token: string }): void {
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'loopback', cluster: { server: url, 'certificate-authority': caFile } }],
    users: [{ name: 'admin', user: { token } }],
    contexts: [{ name: 'loopback', context: { cluster: 'loopback', user: 'admin' } }],
    'current-context': 'loopback',
  };
  writeFileSync(file, JSON.stringify(config, null, 2));
}

/** Sends SIGTERM, later SIGKILL, and resolves when the process has ended. */
export async function stopProcess(child: ChildProcess, timeoutMs = 10_000): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.kill('SIGTERM');
  const killTimer = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
  await exited;
  clearTimeout(killTimer);
}

/**
 * Starts something, runs `work` with it, and stops it in any case, including SIGINT and SIGTERM, after which the process ends. Calls may
 * be nested: a signal stops everything that runs.
 */
export async function withRunning<Running extends { stop(): Promise<unknown> }, Result>(
  start: () => Promise<Running>,
  work: (running: Running) => Promise<Result>,
): Promise<Result> {
  const running = await start();
  const stop = once(() => running.stop());
  const onSignal = (signal: NodeJS.Signals): void => {
    // Other listeners stop their own servers. When the last listener is gone, the signal ends the process.
    void stop().then(() => {
      removeListeners();
      process.kill(process.pid, signal);
    });
  };
  const removeListeners = (): void => {
    for (const signal of SIGNALS) process.off(signal, onSignal);
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  try {
    return await work(running);
  } finally {
    await stop();
    removeListeners();
  }
}

const SIGNALS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM'];

function once<T>(work: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => {
    result ??= work();
    return result;
  };
}
