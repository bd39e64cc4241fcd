import { type ChildProcess, spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepareBinaries } from '../target/real.ts';
import { stopProcess, type Target } from '../target/target.ts';

const CONTROLLERS = [
  'endpoints-controller',
  'endpointslice-controller',
  'endpointslice-mirroring-controller',
  'namespace-controller',
  'garbage-collector-controller',
];

/** A real kube-controller-manager that works against a target. */
export interface ControllerManager {
  log(): string;
  /** How the process ended; undefined while it runs. */
  exit(): string | undefined;
  stop(): Promise<void>;
}

/**
 * Starts it with JSON and leader election, and raises its client's rate limit so that the first sync takes seconds.
 * @param controllers the names of controllers to run; "*" for all. By default those for endpoints, namespaces and garbage
 */
export async function startControllerManager(
  target: Target,
  release: string,
  controllers: readonly string[] = CONTROLLERS,
): Promise<ControllerManager> {
  const program = join(await prepareBinaries(release), 'kube-controller-manager');
  const dir = mkdtempSync(join(tmpdir(), 'kube-endpoints-manager-'));
  const child: ChildProcess = spawn(
    program,
    [
      ['--kubeconfig', target.kubeconfig],
      ['--controllers', controllers.join(',')],
      ['--kube-api-content-type', 'application/json'],
      ['--kube-api-qps', '500'],
      ['--kube-api-burst', '1000'],
      ['--leader-elect=true', '--leader-elect-resource-lock=leases'],
      ['--secure-port', '0'],
      createServiceAccountFlags(dir, target),
    ].flat(),
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let log = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      log += chunk.toString('utf8');
    });
  }
  return {
    log: () => log,
    exit: () => (child.exitCode === null && child.signalCode === null ? undefined : String(child.exitCode ?? child.signalCode)),
    async stop() {
      await stopProcess(child);
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** The controllers of service accounts need a key, and the certificates that they publish in each namespace. */
function createServiceAccountFlags(dir: string, { ca }: Target): readonly string[] {
  const [keyFile, caFile] = [join(dir, 'service-account.key'), join(dir, 'ca.crt')];
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  writeFileSync(keyFile, privateKey.export({ type: 'pkcs1', format: 'pem' }), { mode: 0o600 });
  writeFileSync(caFile, ca);
  return ['--service-account-private-key-file', keyFile, '--root-ca-file', caFile];
}
