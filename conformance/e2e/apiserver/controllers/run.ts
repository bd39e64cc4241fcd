import { generateCluster } from '../../../../examples/generate.ts';
import type { Manifest } from '../../../../examples/manifest.ts';
import { createRandom, type Random } from '../../../../examples/random.ts';
import { type Api, connect } from '../../api.ts';
import { applyRandomChanges } from '../../changes.ts';
import type { ClusterSnapshot } from '../../cluster-snapshot.ts';
import { type Check, check } from '../../compare.ts';
import { load } from '../../load.ts';
import { randomObjects } from '../../random-objects.ts';
import { compareAll, waitUntilSettled } from '../../settled.ts';
import type { Counts } from '../suites.ts';
import type { Target } from '../target/target.ts';
import { type ControllerManager, startControllerManager } from './controller-manager.ts';
import { checkGarbageCollection } from './garbage-collection.ts';
import { findProblems } from './log.ts';

const OBJECT_COUNTS = { services: 120, pods: 360 };
const CHANGE_COUNTS = { pods: 60, services: 15 };
const MAX_SHOWN_FAILURES = 20;
const LEASE_PATH = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/kube-controller-manager';

export interface ControllersOptions {
  readonly release: string;
  /** The minimum duration. */
  readonly seconds: number;
  readonly seed: number;
}

/** Runs a real kube-controller-manager against a target while Services, pods, namespaces and owners are created and deleted. */
export async function runControllers(target: Target, options: ControllersOptions): Promise<Counts> {
  console.log(`Kubernetes ${options.release}, seed ${options.seed}, at least ${options.seconds} s`);
  const api = connect({ port: Number(new URL(target.url).port), token: target.token, ca: target.ca });
  const manager = await startControllerManager(target, options.release);
  try {
    const checks = [...(await churn(api, options)), ...(await checkManager(api, manager))];
    const failed = checks.filter(({ passed }) => !passed);
    for (const { key, what, computed, found } of failed.slice(0, MAX_SHOWN_FAILURES)) {
      console.log(
        `FAILED ${key} ${what}\n  computed ${JSON.stringify(computed)?.slice(0, 600)}\n  found    ${JSON.stringify(found)?.slice(0, 600)}`,
      );
    }
    if (failed.length > 0)
      console.log(`the last lines of its log:\n${manager.log().split('\n').filter(isNotWarning).slice(-20).join('\n')}`);
    return { passed: checks.length - failed.length, failed: failed.length };
  } finally {
    await manager.stop();
    api.close();
  }
}

async function churn(api: Api, { release, seconds, seed }: ControllersOptions): Promise<Check[]> {
  const random: Random = createRandom(seed);
  const endMs = Date.now() + seconds * 1000;
  await load(api, [...generateCluster({ at: new Date() }), ...randomObjects(random, OBJECT_COUNTS.services, OBJECT_COUNTS.pods)]);
  let snapshot = await waitUntilSettled(api, 'loaded', release);
  const checks = printSummary('loaded', snapshot, compareAll(snapshot, release));
  for (let round = 1; Date.now() < endMs; round += 1) {
    const [, garbageChecks] = await Promise.all([
      applyRandomChanges(api, snapshot, random, CHANGE_COUNTS),
      checkGarbageCollection(api, `passing-${round}`),
    ]);
    snapshot = await waitUntilSettled(api, `changed-${round}`, release);
    checks.push(...printSummary(`round ${round}`, snapshot, [...compareAll(snapshot, release), ...garbageChecks]));
  }
  return checks;
}

/** Checks that the manager is running, is the leader, and has logged no problems. */
async function checkManager(api: Api, manager: ControllerManager): Promise<Check[]> {
  const lease: Manifest | undefined = await api.get(LEASE_PATH);
  return [
    check('kube-controller-manager', 'is still running', undefined, manager.exit()),
    check('kube-controller-manager', 'is the leader', true, typeof lease?.spec?.['holderIdentity'] === 'string'),
    check('kube-controller-manager', 'problems in its log', [], findProblems(manager.log())),
  ];
}

function printSummary(name: string, { services, pods }: ClusterSnapshot, checks: Check[]): Check[] {
  const failed = checks.filter(({ passed }) => !passed).length;
  console.log(`${name}: ${services.length} Services, ${[...pods.values()].flat().length} pods, ${checks.length} checks, ${failed} failed`);
  return checks;
}

const isNotWarning = (line: string): boolean => !line.startsWith('W');
