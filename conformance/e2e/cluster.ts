import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { accessSync, constants, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Access, type Api, connect } from './api.ts';

export const DEFAULT_RELEASE = '1.36.3';

export interface Cluster {
  readonly api: Api;
  readonly access: Access;
  /** Contains the data, logs and process ids of its components. */
  readonly dir: string;
  /** Starts kube-controller-manager with only the endpoints controllers. */
  startControllers(): Promise<void>;
}

const SCRIPTS = join(import.meta.dirname, 'cluster');
const BINARIES = ['etcd', 'kube-apiserver', 'kube-controller-manager'];
const run = promisify(execFile);

/** Returns the reason why no cluster can be started here; undefined if the binaries exist or can be built. */
export function reasonForNoCluster(release: string): string | undefined {
  const cache = process.env['KUBE_CLUSTER_CACHE'] ?? join(homedir(), '.cache', 'kube-endpoints-cluster', release);
  if (BINARIES.every((name) => isExecutable(join(cache, name)))) return undefined;
  if (spawnSync('go', ['version']).status === 0) return undefined;
  return `Go is not installed, and ${cache} contains no build of Kubernetes ${release}`;
}

/** Runs `work` against a new cluster on loopback, and stops the cluster in any case, including interrupts. */
export async function withCluster<T>(release: string, work: (cluster: Cluster) => Promise<T>): Promise<T> {
  const dir = mkdtempSync(join(tmpdir(), 'kube-endpoints-cluster-'));
  const stop = (): void => {
    execFileSync(join(SCRIPTS, 'down.sh'), [dir], { stdio: 'inherit' });
    rmSync(dir, { recursive: true, force: true });
  };
  const stopOnSignal = (): void => {
    stop();
    process.exit(130);
  };
  process.on('SIGINT', stopOnSignal);
  process.on('SIGTERM', stopOnSignal);
  let api: Api | undefined;
  try {
    await run(join(SCRIPTS, 'build.sh'), [release]);
    const port = await findFreePortRange(3);
    await run(join(SCRIPTS, 'up.sh'), ['api', dir, String(port), release]);
    const access: Access = {
      port: port + 2,
      token: readFileSync(join(dir, 'token'), 'utf8'),
      ca: readFileSync(join(dir, 'certs', 'apiserver.crt'), 'utf8'),
    };
    api = connect(access);
    return await work({
      api,
      access,
      dir,
      async startControllers() {
        await run(join(SCRIPTS, 'up.sh'), ['controllers', dir, String(port), release]);
      },
    });
  } finally {
    api?.close();
    stop();
    process.off('SIGINT', stopOnSignal);
    process.off('SIGTERM', stopOnSignal);
  }
}

/** Returns the first of several consecutive free ports. */
export async function findFreePortRange(count: number): Promise<number> {
  for (let base = 24_790; base < 28_000; base += 10) {
    const free = await Promise.all(Array.from({ length: count }, (_, n) => isFree(base + n)));
    if (free.every(Boolean)) return base;
  }
  throw new Error('no free ports on loopback between 24790 and 28000');
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
