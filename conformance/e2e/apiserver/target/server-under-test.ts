import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parse } from 'yaml';
import { stopProcess, type Target } from './target.ts';

const BIN = join(import.meta.dirname, '..', '..', '..', '..', 'packages', 'cli', 'src', 'bin.ts');
const TIMEOUT_MS = 120_000;
const POLL_INTERVAL_MS = 20;

interface Kubeconfig {
  readonly clusters: readonly [{ readonly cluster: { readonly server: string; readonly 'certificate-authority-data': string } }];
  readonly users: readonly [{ readonly user: { readonly token: string } }];
}

export interface ServerUnderTestOptions {
  /** Whether the server does the work of controllers and kubelets: collects garbage, finalizes namespaces and removes terminating pods. */
  readonly background: boolean;
}

/** Starts `kubectl-endpoints apiserver` in its own process, as users do. */
export async function startServerUnderTest({ background }: ServerUnderTestOptions): Promise<Target> {
  const dir = mkdtempSync(join(tmpdir(), 'kube-endpoints-ours-'));
  const kubeconfig = join(dir, 'kubeconfig');
  const args = [BIN, 'apiserver', '--port', '0', '--kubeconfig-out', kubeconfig, ...(background ? [] : ['--no-background'])];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => appendOutput(output, chunk.toString('utf8')));
  const stop = async (): Promise<void> => {
    await stopProcess(child);
    rmSync(dir, { recursive: true, force: true });
  };
  try {
    const { clusters, users } = await readKubeconfig(kubeconfig, child, output);
    const { server, 'certificate-authority-data': data } = clusters[0].cluster;
    const ca = Buffer.from(data, 'base64').toString('utf8');
    writeFileSync(join(dir, 'ca.crt'), ca);
    return { name: 'ours', url: server.replace(/\/$/, ''), ca, token: users[0].user.token, kubeconfig, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Waits until the kubeconfig is completely written, and returns it. */
async function readKubeconfig(file: string, child: ChildProcess, output: readonly string[]): Promise<Kubeconfig> {
  const deadlineMs = Date.now() + TIMEOUT_MS;
  while (Date.now() < deadlineMs && child.exitCode === null) {
    const config: unknown = existsSync(file) ? parse(readFileSync(file, 'utf8')) : undefined;
    if (isComplete(config)) return config;
    await pause(POLL_INTERVAL_MS);
  }
  throw new Error(`kubectl-endpoints apiserver did not become ready:\n${output.join('')}`);
}

function isComplete(config: unknown): config is Kubeconfig {
  const { clusters, users } = (config ?? {}) as Partial<Kubeconfig>;
  return clusters?.[0]?.cluster?.['certificate-authority-data'] !== undefined && users?.[0]?.user?.token !== undefined;
}

/** Keeps the last part of a process's output, for error messages. */
function appendOutput(output: string[], text: string): void {
  output.push(text);
  if (output.length > 200) output.shift();
}
