import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { prepareBinaries } from '../apiserver/target/real.ts';
import type { Target } from '../apiserver/target/target.ts';
import { DEFAULT_RELEASE, reasonForNoCluster } from '../cluster.ts';
import { runBatch } from './ginkgo.ts';
import { isEnough, type ListedTest, readTestList, type Setup } from './list.ts';
import { countOutcomes, describeOutcome, type Outcome } from './report.ts';
import { runTests } from './schedule.ts';
import { withSetup } from './setups.ts';

/**
 * Usage: run.ts [--only PATTERN] [--with-controller-manager] [--against real] [--processes N] [--seconds 120] [--output DIR]
 * Runs Kubernetes' own end-to-end tests, those listed in tests.txt, against the embedded API server: with nothing else, then those about
 * endpoints with this project's controllers. With --with-controller-manager: all of them, with a real kube-controller-manager.
 * --only: tests whose name matches this regular expression. --against real: a real API server, which must pass all tests. --seconds: the
 * time limit of a test. --output: a folder for the output of the tests that fail.
 */
const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    'with-controller-manager': { type: 'boolean', default: false },
    against: { type: 'string', default: 'ours' },
    processes: { type: 'string', default: String(2 * availableParallelism()) },
    seconds: { type: 'string', default: '120' },
    output: { type: 'string' },
  },
});
const isReal = values.against === 'real';
const outputDir = values.output === undefined ? undefined : resolve(values.output);
process.exitCode = await main();

async function main(): Promise<number> {
  const reason = reasonForNoCluster(DEFAULT_RELEASE);
  if (reason !== undefined) {
    console.log(`skipped: ${reason}`);
    return process.env['CI'] === 'true' ? 1 : 0;
  }
  const binDir = await prepareBinaries(DEFAULT_RELEASE, ['e2e.test', 'kubectl', 'kube-controller-manager']);
  const pattern = new RegExp(values.only);
  const tests = readTestList().filter(({ name }) => pattern.test(name));
  const outcomes: Outcome[] = [];
  const setups: readonly Setup[] = values['with-controller-manager'] ? ['manager'] : ['server', 'endpoints'];
  for (const setup of setups) {
    const selected = tests.filter(({ needs }) => (setup === 'manager' ? isEnough(setup, needs) : needs === setup));
    if (selected.length > 0) outcomes.push(...(await runSetup(setup, selected, binDir)));
  }
  return summarize(outcomes);
}

async function runSetup(setup: Setup, tests: readonly ListedTest[], binDir: string): Promise<Outcome[]> {
  console.log(`== ${setup}: ${tests.length} tests`);
  const startedMs = performance.now();
  const outcomes: Outcome[] = [];
  const { kubeletProblems } = await withSetup(setup, { release: DEFAULT_RELEASE, isReal }, async (target) => {
    const byName = new Map(tests.map((test) => [test.name, test]));
    const dir = mkdtempSync(join(tmpdir(), 'kube-endpoints-e2e-'));
    const program = { binary: join(binDir, 'e2e.test'), flags: createFlags(target, binDir), dir, timeoutMs: Number(values.seconds) * 1000 };
    await runTests([...byName.keys()], {
      runBatch: (names) => runBatch(program, names),
      processCount: Number(values.processes),
      onResult(name, result) {
        const test = byName.get(name);
        if (test === undefined) return;
        outcomes.push({ test, result });
        printOutcome({ test, result });
      },
    });
    rmSync(dir, { recursive: true, force: true });
  });
  for (const problem of kubeletProblems.slice(0, 10)) console.log(`the API server refused a request of the kubelet: ${problem}`);
  console.log(`${setup}: ${outcomes.length} tests in ${((performance.now() - startedMs) / 1000).toFixed(0)} s\n`);
  return outcomes;
}

/** The tests' flags for a cluster without cloud, system pods and access to nodes. */
function createFlags({ kubeconfig }: Target, binDir: string): readonly string[] {
  return [
    `--kubeconfig=${kubeconfig}`,
    '--provider=skeleton',
    '--allowed-not-ready-nodes=-1',
    '--minStartupPods=0',
    '--delete-namespace-on-failure=true',
    '--dump-logs-on-failure=false',
    '--disable-log-dump',
    `--kubectl-path=${join(binDir, 'kubectl')}`,
  ];
}

function printOutcome(outcome: Outcome): void {
  const description = describeOutcome(outcome);
  if (description !== undefined) console.log(description);
  if (outputDir === undefined || outcome.result.passed) return;
  mkdirSync(outputDir, { recursive: true });
  const file = `${outcome.test.name.replaceAll(/[^\w.-]+/g, '-').slice(0, 150)}.log`;
  writeFileSync(join(outputDir, file), `${outcome.test.name}\n${outcome.result.cause}\n\n${outcome.result.output}\n`);
}

function summarize(outcomes: readonly Outcome[]): number {
  const { passed, failed } = countOutcomes(outcomes);
  const known = outcomes.filter(({ test, result }) => test.reason !== undefined && !result.passed).length;
  if (known > 0) console.log(`${known} tests fail for the reasons in tests.txt`);
  console.log(`${passed} passed, ${failed} failed`);
  return failed > 0 ? 1 : 0;
}
