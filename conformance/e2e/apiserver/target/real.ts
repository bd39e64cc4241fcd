import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findFreePortRange } from '../../cluster.ts';
import { type Target, writeKubeconfig } from './target.ts';

const SCRIPTS = join(import.meta.dirname, '..', '..', 'cluster');
const run = promisify(execFile);
const MAX_BUILD_OUTPUT_BYTES = 2 ** 26;

/** Builds the named binaries of a release if they are missing, by default those of a control plane, and returns their directory. */
export async function prepareBinaries(release: string, names: readonly string[] = []): Promise<string> {
  return (await run(join(SCRIPTS, 'build.sh'), [release, ...names], { maxBuffer: MAX_BUILD_OUTPUT_BYTES })).stdout.trim();
}

/** Starts etcd and a real kube-apiserver, and kube-controller-manager if `controllers` is not empty. */
export async function startReal(release: string, controllers: readonly string[] = []): Promise<Target> {
  const dir = mkdtempSync(join(tmpdir(), 'kube-endpoints-real-'));
  const stop = async (): Promise<void> => {
    await run(join(SCRIPTS, 'down.sh'), [dir]);
    rmSync(dir, { recursive: true, force: true });
  };
  try {
    // The first of three consecutive ports. etcd uses two, and kube-apiserver the third.
    const port = await findFreePortRange(3);
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
