import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Target, writeKubeconfig } from './target.ts';

const SCRIPTS = join(import.meta.dirname, '..', '..', 'cluster');
const run = promisify(execFile);

/** The folder of the real programs. They are built if they are not there. */
export async function binaries(release: string): Promise<string> {
  return (await run(join(SCRIPTS, 'build.sh'), [release])).stdout.trim();
}

/** Starts etcd and a real kube-apiserver, and kube-controller-manager if there are controllers to run in it. */
export async function startReal(release: string, controllers: readonly string[] = []): Promise<Target> {
  const dir = mkdtempSync(join(tmpdir(), 'kube-endpoints-real-'));
  const stop = async (): Promise<void> => {
    await run(join(SCRIPTS, 'down.sh'), [dir]);
    rmSync(dir, { recursive: true, force: true });
  };
  try {
    const port = await freePorts(3);
    await run(join(SCRIPTS, 'up.sh'), ['api', dir, String(port), release]);
    if (controllers.length > 0) {
      const env = { ...process.env, CONTROLLERS: controllers.join(',') };
      await run(join(SCRIPTS, 'up.sh'), ['controllers', dir, String(port), release], { env });
    }
    const url = `https://127.0.0.1:${port + 2}`;
    const token = readFileSync(join(dir, 'token'), 'utf8');
    const caFile = join(dir, 'certs', 'apiserver.crt');
    const kubeconfig = join(dir, 'kubeconfig');
    writeKubeconfig(kubeconfig, { url, caFile, token });
    return { name: 'real', url, ca: readFileSync(caFile, 'utf8'), token, kubeconfig, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The first of so many ports in a row that nobody listens on. */
async function freePorts(count: number): Promise<number> {
  for (let base = 28_010; base < 30_000; base += 10) {
    const free = await Promise.all(Array.from({ length: count }, (_, n) => isFree(base + n)));
    if (free.every(Boolean)) return base;
  }
  throw new Error('no free ports on loopback between 28010 and 30000');
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
