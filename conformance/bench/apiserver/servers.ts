import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parse } from 'yaml';
import type { Access } from './client.ts';

/** The built command. */
export const cliPath: string = join(import.meta.dirname, '../../../packages/cli/dist/bin.js');

/**
 * Calls `work` with an embedded server in its own process, and stops the server afterwards.
 *
 * @param program the arguments of Node.js; by default, the built command
 */
export async function withEmbedded<T>(work: (access: Access) => Promise<T>, program: readonly string[] = [cliPath]): Promise<T> {
  const dir = mkdtempSync(join(tmpdir(), 'kube-endpoints-bench-'));
  const file = join(dir, 'kubeconfig');
  const server = spawn(process.execPath, [...program, 'apiserver', '--port', '0', '--kubeconfig-out', file], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  try {
    await waitForFile(file, server);
    return await work(readAccess(file));
  } finally {
    server.kill();
    if (server.exitCode === null) await once(server, 'exit');
    rmSync(dir, { recursive: true, force: true });
  }
}

/** @throws Error if the server exits, or has not written the file after about ten seconds */
async function waitForFile(file: string, server: ChildProcess): Promise<void> {
  for (let polls = 0; !existsSync(file); polls += 1) {
    if (server.exitCode !== null || polls > 5000) throw new Error('the embedded API server did not start');
    await setTimeout(2);
  }
}

interface Kubeconfig {
  readonly clusters: readonly [{ readonly cluster: { readonly server: string; readonly 'certificate-authority-data': string } }];
  readonly users: readonly [{ readonly user: { readonly token: string } }];
}

function readAccess(file: string): Access {
  const { clusters, users } = parse(readFileSync(file, 'utf8')) as Kubeconfig;
  const [{ cluster }] = clusters;
  return {
    url: cluster.server,
    ca: Buffer.from(cluster['certificate-authority-data'], 'base64').toString(),
    token: users[0].user.token,
  };
}
