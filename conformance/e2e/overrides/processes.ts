import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findFreePort } from '../../../test/support/free-port.ts';
import type { Api } from '../api.ts';
import { waitUntil } from '../takeover/replica.ts';

const CLI_PATH = join(import.meta.dirname, '..', '..', '..', 'packages', 'cli', 'src', 'bin.ts');
const configurationsPath = '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations';
const configurationName = 'kube-endpoints-webhook';

/** A `kube-endpoints` command in its own process. */
export interface Program {
  readonly child: ChildProcess;
  /** Returns all output of the process. */
  output(): string;
  kill(): Promise<void>;
  /** Shuts the process down and returns its exit code. */
  stop(): Promise<number | null>;
}

export function startProgram(args: readonly string[]): Program {
  const child = spawn(process.execPath, [CLI_PATH, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const chunks: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => chunks.push(chunk.toString('utf8')));
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const terminate = async (signal: NodeJS.Signals): Promise<number | null> => {
    child.kill(signal);
    const killTimer = setTimeout(() => child.kill('SIGKILL'), 20_000);
    const code = await exited;
    clearTimeout(killTimer);
    return code;
  };
  return {
    child,
    output: () => chunks.join(''),
    async kill() {
      await terminate('SIGKILL');
    },
    stop: () => terminate('SIGTERM'),
  };
}

/** The webhook with a rules file and its own certificate. */
export interface Webhook {
  readonly rulesPath: string;
  start(): Promise<Program>;
  /** Registers the webhook with the API server. */
  register(api: Api): Promise<void>;
  unregister(api: Api): Promise<void>;
}

export async function createWebhook(dir: string, kubeconfig: string): Promise<Webhook> {
  const [port, healthPort] = [await findFreePort(), await findFreePort()];
  const rulesPath = join(dir, 'rules.yaml');
  const certificate = ['--self-signed', join(dir, 'webhook'), '--dns-name', '127.0.0.1'];
  const addressFlags = ['--host', '127.0.0.1', '--port', String(port), '--metrics-host', '127.0.0.1', '--metrics-port', String(healthPort)];
  const flags = [
    ...certificate,
    ...addressFlags,
    '--rules',
    rulesPath,
    '--kubeconfig',
    kubeconfig,
    '--reload-interval',
    '1s',
    '--log-format',
    'json',
  ];
  return {
    rulesPath,
    start: () => startUntilReady(['webhook', ...flags], healthPort),
    async register(api) {
      const manifest = await runJson([
        'webhook',
        'manifest',
        '-n',
        'kube-system',
        '--service',
        configurationName,
        ...certificate,
        '-o',
        'json',
      ]);
      const caBundle = Buffer.from(readFileSync(join(dir, 'webhook', 'ca.crt'))).toString('base64');
      const webhooks = manifest.webhooks.map((webhook) => ({
        ...webhook,
        clientConfig: { url: `https://127.0.0.1:${port}/mutate`, caBundle },
      }));
      await api.post(configurationsPath, { ...manifest, metadata: { name: configurationName }, webhooks });
    },
    unregister: (api) => api.delete(`${configurationsPath}/${configurationName}`),
  };
}

/** Starts our controllers. */
export async function startControllers(kubeconfig: string): Promise<Program> {
  const healthPort = await findFreePort();
  return startUntilReady(['run', '--kubeconfig', kubeconfig, '--metrics-port', String(healthPort), '--log-format', 'json'], healthPort);
}

async function startUntilReady(args: readonly string[], healthPort: number): Promise<Program> {
  const program = startProgram(args);
  const condition = (): Promise<boolean> => {
    if (program.child.exitCode !== null) throw new Error(`${args[0]} ended: ${program.output()}`);
    return isReady(healthPort);
  };
  await waitUntil(`${args[0]} is ready`, condition, 60_000);
  return program;
}

async function runJson(args: readonly string[]): Promise<{ readonly webhooks: readonly object[] }> {
  const { stdout } = await promisify(execFile)(process.execPath, [CLI_PATH, ...args]);
  return JSON.parse(stdout) as { readonly webhooks: readonly object[] };
}

async function isReady(port: number): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(2000) })).ok;
  } catch {
    return false;
  }
}
