import type { ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';

/** An API server on loopback that speaks to clients which have its certificate and a token: the real one, or ours. */
export interface Target {
  readonly name: string;
  /** Without a slash at the end. */
  readonly url: string;
  /** What its certificate is verified with, PEM. */
  readonly ca: string;
  readonly token: string;
  /** A file. */
  readonly kubeconfig: string;
  stop(): Promise<void>;
}

export type TargetName = 'real' | 'ours';

/** Writes a kubeconfig for clients of other languages. */
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

/** Asks a process to end, insists after a while, and comes back when it is gone. */
export async function ended(child: ChildProcess, patienceMs = 10_000): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.kill('SIGTERM');
  const insist = setTimeout(() => child.kill('SIGKILL'), patienceMs);
  await gone;
  clearTimeout(insist);
}
