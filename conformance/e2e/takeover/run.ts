import { parseArgs } from 'node:util';
import { DEFAULT_RELEASE, reasonForNoCluster } from '../cluster.ts';
import type { Check } from '../compare.ts';
import { churn } from './churn.ts';
import { runFaultChecks } from './faults.ts';
import { takeOver } from './take-over.ts';

/**
 * Usage: run.ts [take-over] [churn] [faults] [--release 1.36.3] [--seed N] [--seconds 300]. Tests `kubectl-endpoints run` on a
 * real control plane: a switch from and back to kube-controller-manager, the same changes with either, and faults.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    release: { type: 'string', default: DEFAULT_RELEASE },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    seconds: { type: 'string', default: '300' },
  },
});

const MAX_SHOWN_FAILURES = 20;
const tests: Readonly<Record<string, (release: string, seed: number) => Promise<Check[]>>> = {
  'take-over': takeOver,
  churn: (release, seed) => churn(release, seed, Number(values.seconds)),
  faults: runFaultChecks,
};

process.exitCode = await main(values.release, Number(values.seed), positionals.length > 0 ? positionals : Object.keys(tests));

async function main(release: string, seed: number, names: readonly string[]): Promise<number> {
  const skipReason = reasonForNoCluster(release);
  if (skipReason !== undefined) {
    console.log(`our controllers on a real control plane skipped: ${skipReason}`);
    return process.env['CI'] === 'true' ? 1 : 0;
  }
  const checks: Check[] = [];
  for (const name of names) {
    const test = tests[name];
    if (!test) throw new Error(`there is no test ${name}: give ${Object.keys(tests).join(', ')}`);
    console.log(`-- ${name}, Kubernetes ${release}, seed ${seed}`);
    checks.push(...(await test(release, seed)));
  }
  const failed = checks.filter(({ passed }) => !passed);
  for (const { key, what, computed, found } of failed.slice(0, MAX_SHOWN_FAILURES)) {
    console.log(
      `FAILED ${key} ${what}\n  is     ${JSON.stringify(computed)?.slice(0, 2000)}\n  should ${JSON.stringify(found)?.slice(0, 2000)}`,
    );
  }
  console.log(`${checks.length - failed.length} passed, ${failed.length} failed`);
  return failed.length === 0 && checks.length > 0 ? 0 : 1;
}
