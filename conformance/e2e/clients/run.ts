import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { type Check, runChecks } from '../apiserver/client-node/check.ts';
import { startControllerManager } from '../apiserver/controllers/controller-manager.ts';
import { runKubectl } from '../apiserver/kubectl/run.ts';
import type { Counts } from '../apiserver/suites.ts';
import { prepareBinaries, startReal } from '../apiserver/target/real.ts';
import { startServerUnderTest } from '../apiserver/target/server-under-test.ts';
import { type Target, withRunning } from '../apiserver/target/target.ts';
import { DEFAULT_RELEASE, reasonForNoCluster } from '../cluster.ts';
import { startFakeKubelet } from '../fake-kubelet/kubelet.ts';
import { createClientGoChecks, type FindProgram } from './client-go.ts';
import { access } from './kubectl/access.ts';
import { deployments } from './kubectl/deployments.ts';
import { kinds } from './kubectl/kinds.ts';
import { workloads } from './kubectl/workloads.ts';
import { createOperatorChecks } from './operator/checks.ts';
import { createKubectl, type Kubectl } from './programs.ts';

/**
 * Usage: run.ts [kubectl | client-go | operator]... [--against real] [--group NAME]...
 * Runs real clients against the embedded API server with kube-controller-manager and a fake kubelet. --against real replaces the embedded
 * server by a second real one: differences are then faults of the checks. --group restricts kubectl to groups of commands.
 */
const { values, positionals } = parseArgs({
  options: {
    against: { type: 'string', default: 'ours' },
    group: { type: 'string', multiple: true, default: [] },
  },
  allowPositionals: true,
});

const suites: Readonly<Record<string, () => Promise<Counts>>> = {
  async kubectl() {
    const groups = [deployments, workloads, access, kinds].filter(({ name }) => values.group.length === 0 || values.group.includes(name));
    return withCluster(
      () => startReal(DEFAULT_RELEASE, [], 'RBAC'),
      (real) => withCluster(startTested, (tested) => runKubectl(tested, real, groups)),
    );
  },
  async 'client-go'() {
    const findProgram: FindProgram = async (name) => join(await prepareBinaries(DEFAULT_RELEASE, [name]), name);
    return runProgramChecks((target, kubectl) => createClientGoChecks(target, kubectl, findProgram));
  },
  async operator() {
    const { stdout } = await promisify(execFile)(join(import.meta.dirname, 'operator', 'build.sh'), [DEFAULT_RELEASE]);
    return runProgramChecks((target, kubectl, dir) => createOperatorChecks(target, kubectl, stdout.trim(), dir));
  },
};

process.exit(await main(positionals.length === 0 ? Object.keys(suites) : positionals));

async function main(names: readonly string[]): Promise<number> {
  const reason = reasonForNoCluster(DEFAULT_RELEASE);
  if (reason !== undefined) {
    console.log(`skipped: ${reason}`);
    return process.env['CI'] === 'true' ? 1 : 0;
  }
  // The kubectl of this release comes first in PATH.
  const binDir = await prepareBinaries(DEFAULT_RELEASE, ['kube-apiserver', 'kube-controller-manager', 'etcd', 'kubectl']);
  process.env['PATH'] = [binDir, process.env['PATH']].join(delimiter);
  const counts = { passed: 0, failed: 0 };
  for (const name of names) {
    const suite = suites[name];
    if (suite === undefined) throw new Error(`there is no suite ${name}; the suites are ${Object.keys(suites).join(', ')}`);
    console.log(`== ${name}`);
    const { passed, failed } = await suite();
    console.log(`${name}: ${passed} passed, ${failed} failed\n`);
    counts.passed += passed;
    counts.failed += failed;
  }
  console.log(`${counts.passed} passed, ${counts.failed} failed`);
  return counts.failed > 0 ? 1 : 0;
}

/** Runs checks that use an API server with kube-controller-manager, kubectl, and a temporary folder. */
function runProgramChecks(createChecks: (target: Target, kubectl: Kubectl, dir: string) => readonly Check[]): Promise<Counts> {
  return withCluster(startTested, async (target) => {
    const dir = mkdtempSync(join(tmpdir(), 'kube-endpoints-clients-'));
    const kubectl = createKubectl(target);
    try {
      return await runChecks(createChecks(target, kubectl, dir));
    } finally {
      kubectl.close();
      rmSync(dir, { recursive: true, force: true });
    }
  });
}

/** Starts the server that the checks are about. */
function startTested(): Promise<Target> {
  return values.against === 'real'
    ? startReal(DEFAULT_RELEASE, [], 'RBAC')
    : startServerUnderTest({ background: false, authorization: 'RBAC' });
}

/** Starts an API server, kube-controller-manager with all controllers, and a fake kubelet. */
function withCluster<T>(start: () => Promise<Target>, work: (target: Target) => Promise<T>): Promise<T> {
  return withRunning(start, (target) =>
    withRunning(
      () => startControllerManager(target, DEFAULT_RELEASE, ['*']),
      () =>
        withRunning(
          () => startFakeKubelet(target),
          () => work(target),
        ),
    ),
  );
}
