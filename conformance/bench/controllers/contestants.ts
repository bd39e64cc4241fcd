import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { prepareBinaries } from '../../e2e/apiserver/target/real.ts';

/** Controllers under test, running in a separate process. */
export interface Contestant {
  readonly name: string;
  start(kubeconfig: string): Promise<RunningContestant>;
}

export interface RunningContestant {
  readonly startedAt: number;
  /** CPU time and memory that the process has used so far. */
  usage(): Usage;
  stop(): Promise<void>;
}

export interface Usage {
  readonly cpuSeconds: number;
  readonly megabytes: number;
  readonly peakMegabytes: number;
}

const cliPath = join(import.meta.dirname, '../../../packages/cli/dist/bin.js');

export const kubeEndpoints: Contestant = {
  name: 'kubectl-endpoints run',
  start: async (kubeconfig) =>
    createRunningContestant(
      spawn(process.execPath, [cliPath, 'run', '--kubeconfig', kubeconfig, '--log-level', 'error', '--metrics-port', '0'], ignoreOutput),
    ),
};

export const kubeControllerManager = (release: string): Contestant => ({
  name: `kube-controller-manager ${release}`,
  async start(kubeconfig) {
    const program = join(await prepareBinaries(release), 'kube-controller-manager');
    const flags = [
      ['--kubeconfig', kubeconfig],
      ['--controllers', 'endpoints-controller,endpointslice-controller'],
      ['--kube-api-content-type', 'application/json'],
      ['--kube-api-qps', '100000'],
      ['--kube-api-burst', '100000'],
      ['--leader-elect=false'],
      ['--secure-port', '0'],
    ].flat();
    return createRunningContestant(spawn(program, flags, ignoreOutput));
  },
});

const ignoreOutput: SpawnOptions = { stdio: 'ignore' };

function createRunningContestant(child: ChildProcess): RunningContestant {
  const startedAt = Date.now();
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  return {
    startedAt,
    usage: () => readUsage(child.pid as number),
    async stop() {
      child.kill('SIGTERM');
      const killTimer = setTimeout(() => child.kill('SIGKILL'), 5000);
      await exited;
      clearTimeout(killTimer);
    },
  };
}

/** Reads Linux's /proc. In stat, utime and stime are the fields 11 and 12 after the command name, counted from 0. */
function readUsage(pid: number): Usage {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const kilobytes = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0);
  const ticksPerSecond = 100;
  return {
    cpuSeconds: (Number(fields[11]) + Number(fields[12])) / ticksPerSecond,
    megabytes: kilobytes('VmRSS') / 1024,
    peakMegabytes: kilobytes('VmHWM') / 1024,
  };
}
