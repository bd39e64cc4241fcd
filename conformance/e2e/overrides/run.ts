import { parseArgs } from 'node:util';
import { DEFAULT_RELEASE, reasonForNoCluster } from '../cluster.ts';
import type { Check } from '../compare.ts';
import { startControlPlane } from '../takeover/control-plane.ts';
import { createFleet } from './fleet.ts';
import { createWebhook, startControllers } from './processes.ts';
import { runScenario, type ScenarioContext } from './scenario.ts';
import { watchAll } from './witness.ts';

/**
 * Usage: run.ts [--release 1.36.3] [--seconds 24]. A real kube-apiserver calls the webhook for every write of Endpoints and slices, which
 * come first from kube-controller-manager and then from our controllers. --seconds is the duration of each churn.
 */
const { values } = parseArgs({
  options: { release: { type: 'string', default: DEFAULT_RELEASE }, seconds: { type: 'string', default: '24' } },
});

const ORIGINAL_CONTROLLERS = ['endpoints-controller', 'endpointslice-controller'];
const MAX_SHOWN_FAILURES = 20;

process.exitCode = await main(values.release, Number(values.seconds));

async function main(release: string, seconds: number): Promise<number> {
  const skipReason = reasonForNoCluster(release);
  if (skipReason !== undefined) {
    console.log(`rules on a real control plane skipped: ${skipReason}`);
    return process.env['CI'] === 'true' ? 1 : 0;
  }
  const checks = await runAll(release, seconds);
  const failedChecks = checks.filter(({ passed }) => !passed);
  for (const { key, what, computed, found } of failedChecks.slice(0, MAX_SHOWN_FAILURES)) {
    console.log(
      `FAILED ${key}: ${what}\n  is     ${JSON.stringify(computed)?.slice(0, 2000)}\n  should ${JSON.stringify(found)?.slice(0, 2000)}`,
    );
  }
  console.log(`${checks.length - failedChecks.length} passed, ${failedChecks.length} failed`);
  return failedChecks.length === 0 && checks.length > 0 ? 0 : 1;
}

async function runAll(release: string, seconds: number): Promise<Check[]> {
  const plane = await startControlPlane(release);
  try {
    await createFleet(plane.api);
    const witness = await watchAll(plane.kubeconfig);
    try {
      const context: ScenarioContext = { plane, witness, seconds, webhook: await createWebhook(plane.dir, plane.kubeconfig) };
      return [...(await testWithOriginal(context)), ...(await testWithOurs(context))];
    } finally {
      await witness.close();
    }
  } finally {
    await plane.stop();
  }
}

async function testWithOriginal(context: ScenarioContext): Promise<Check[]> {
  await context.plane.startOriginal(ORIGINAL_CONTROLLERS);
  try {
    return await runScenario({ key: 'kube-controller-manager', mayRepeatWrites: true }, context);
  } finally {
    await context.plane.stopOriginal();
  }
}

async function testWithOurs(context: ScenarioContext): Promise<Check[]> {
  const controllers = await startControllers(context.plane.kubeconfig);
  try {
    return await runScenario({ key: 'kube-endpoints', mayRepeatWrites: false }, context);
  } finally {
    await controllers.stop();
  }
}
