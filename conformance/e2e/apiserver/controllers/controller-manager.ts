import { type ChildProcess, spawn } from 'node:child_process';
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

/** Starts it with JSON and leader election, and raises its client's rate limit so that the first sync takes seconds. */
export async function startControllerManager(target: Target, release: string): Promise<ControllerManager> {
  const program = join(await prepareBinaries(release), 'kube-controller-manager');
  const child: ChildProcess = spawn(
    program,
    [
      ['--kubeconfig', target.kubeconfig],
      ['--controllers', CONTROLLERS.join(',')],
      ['--kube-api-content-type', 'application/json'],
      ['--kube-api-qps', '500'],
      ['--kube-api-burst', '1000'],
      ['--leader-elect=true', '--leader-elect-resource-lock=leases'],
      ['--secure-port', '0'],
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
    stop: () => stopProcess(child),
  };
}
