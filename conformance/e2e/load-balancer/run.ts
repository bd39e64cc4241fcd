import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { DEFAULT_RELEASE, reasonForNoCluster } from '../cluster.ts';
import type { Check } from '../compare.ts';
import { startControlPlane } from '../takeover/control-plane.ts';
import { startCloud } from './cloud-server.ts';
import { runScenario } from './scenario.ts';

/**
 * Usage: run.ts [--release 1.36.3] [--seconds 30] [--seed N]. Runs the service load-balancer controller in its own process, on a real
 * kube-apiserver, with a cloud that fails. --seconds is the duration of the phase with failures and random changes.
 */
const { values } = parseArgs({
  options: {
    release: { type: 'string', default: DEFAULT_RELEASE },
    seconds: { type: 'string', default: '30' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
});

const maxShownFailures = 20;

process.exitCode = await main(values.release, Number(values.seconds), Number(values.seed));

async function main(release: string, seconds: number, seed: number): Promise<number> {
  const skipReason = reasonForNoCluster(release);
  if (skipReason !== undefined) {
    console.log(`load balancers on a real control plane skipped: ${skipReason}`);
    return process.env['CI'] === 'true' ? 1 : 0;
  }
  console.log(`load balancers on Kubernetes ${release}, seed ${seed}`);
  const checks = await runChecks(release, seconds, seed);
  const failedChecks = checks.filter(({ passed }) => !passed);
  for (const { key, what, computed, found } of failedChecks.slice(0, maxShownFailures)) {
    console.log(
      `FAILED ${key}: ${what}\n  is     ${JSON.stringify(computed)?.slice(0, 2000)}\n  should ${JSON.stringify(found)?.slice(0, 2000)}`,
    );
  }
  console.log(`${checks.length - failedChecks.length} passed, ${failedChecks.length} failed`);
  return failedChecks.length === 0 && checks.length > 0 ? 0 : 1;
}

async function runChecks(release: string, seconds: number, seed: number): Promise<Check[]> {
  const [plane, cloud] = await Promise.all([startControlPlane(release), startCloud()]);
  process.env['CLOUD_URL'] = cloud.url;
  try {
    return await runScenario({ plane, cloud, seconds, seed, module: join(import.meta.dirname, 'cloud-module.mjs') });
  } finally {
    await cloud.close();
    await plane.stop();
  }
}
