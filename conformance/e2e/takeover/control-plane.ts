import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type Api, connect } from '../api.ts';
import { writeKubeconfig } from '../apiserver/target/target.ts';
import { findFreePortRange } from '../cluster.ts';

const SCRIPTS = join(import.meta.dirname, '..', 'cluster');
const run = promisify(execFile);

export type ComponentName = 'etcd' | 'kube-apiserver' | 'kube-controller-manager';

/** A real etcd and kube-apiserver on loopback whose processes can be killed and restarted. */
export interface ControlPlane {
  readonly api: Api;
  /** Path of the kubeconfig file. */
  readonly kubeconfig: string;
  readonly dir: string;
  /** Starts kube-controller-manager with the named controllers. */
  startOriginal(controllers: readonly string[]): Promise<void>;
  /** Stops kube-controller-manager. Kills it if it has not ended after 10 seconds. */
  stopOriginal(): Promise<void>;
  /** Kills a process without a shutdown. */
  kill(component: ComponentName): void;
  /** Restarts a killed process with its data, and waits until the API server is ready. */
  restart(component: ComponentName): Promise<void>;
  /** The number of successful creates, updates, patches and deletes of a resource so far. */
  writes(resource: 'endpoints' | 'endpointslices'): Promise<number>;
  stop(): Promise<void>;
}

export async function startControlPlane(release: string): Promise<ControlPlane> {
  const dir = mkdtempSync(join(tmpdir(), 'kube-endpoints-plane-'));
  await run(join(SCRIPTS, 'build.sh'), [release]);
  const basePort = await findFreePortRange(3);
  const apiServerPort = basePort + 2;
  await run(join(SCRIPTS, 'up.sh'), ['api', dir, String(basePort), release]);
  const token = readFileSync(join(dir, 'token'), 'utf8');
  const caFile = join(dir, 'certs', 'apiserver.crt');
  const kubeconfig = join(dir, 'clients.kubeconfig');
  writeKubeconfig(kubeconfig, { url: `https://127.0.0.1:${apiServerPort}`, caFile, token });
  const api = connect({ port: apiServerPort, token, ca: readFileSync(caFile, 'utf8') });
  const pidOf = (component: ComponentName): number => Number(readFileSync(join(dir, `${component}.pid`), 'utf8'));
  const commands = new Map<ComponentName, readonly string[]>();
  return {
    api,
    kubeconfig,
    dir,
    async startOriginal(controllers) {
      const env = { ...process.env, CONTROLLERS: controllers.join(',') };
      await run(join(SCRIPTS, 'up.sh'), ['controllers', dir, String(basePort), release], { env });
    },
    async stopOriginal() {
      const pid = pidOf('kube-controller-manager');
      process.kill(pid, 'SIGTERM');
      for (let polls = 0; isAlive(pid) && polls < 200; polls += 1) await pause(50);
      if (isAlive(pid)) process.kill(pid, 'SIGKILL');
    },
    kill(component) {
      const pid = pidOf(component);
      commands.set(component, readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1));
      process.kill(pid, 'SIGKILL');
    },
    async restart(component) {
      const [program = '', ...args] = commands.get(component) ?? [];
      const child = spawn(program, args, { detached: true, stdio: 'ignore' });
      child.unref();
      writeFileSync(join(dir, `${component}.pid`), `${child.pid}\n`);
      await waitUntilReady(api);
    },
    writes: async (resource) => countWrites(await api.getText('/metrics'), resource),
    async stop() {
      api.close();
      await run(join(SCRIPTS, 'down.sh'), [dir]);
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return false;
  }
}

/** @throws if the API server is not ready after three minutes */
async function waitUntilReady(api: Api): Promise<void> {
  for (let tries = 0; tries < 720; tries += 1) {
    try {
      await api.getText('/readyz');
      return;
    } catch {
      await pause(250);
    }
  }
  throw new Error('the API server did not become ready again');
}

const WRITE_VERBS = new Set(['POST', 'PUT', 'PATCH', 'DELETE', 'APPLY']);

function countWrites(metrics: string, resource: string): number {
  let count = 0;
  for (const [, labels = '', value] of metrics.matchAll(/^apiserver_request_total\{([^}]*)\} (\S+)$/gm)) {
    const {
      verb = '',
      code = '',
      resource: resourceLabel,
      subresource,
    } = Object.fromEntries([...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = '', text = '']) => [name, text]));
    if (resourceLabel === resource && subresource === '' && WRITE_VERBS.has(verb) && code.startsWith('2')) count += Number(value);
  }
  return count;
}
