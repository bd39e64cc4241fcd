import { setTimeout as pause } from 'node:timers/promises';
import { createRandom } from '../../../examples/random.ts';
import { applyRandomChanges } from '../changes.ts';
import { readClusterSnapshot } from '../cluster-snapshot.ts';
import { type Check, check } from '../compare.ts';
import { load } from '../load.ts';
import { type ControlPlane, startControlPlane } from './control-plane.ts';
import { type Replica, startReplica, waitUntil } from './replica.ts';
import { compareCluster, waitUntilSettled } from './settle.ts';
import { createManifests } from './world.ts';

const CHANGE_COUNTS = { pods: 25, services: 2 };
/** Long durations for a busy machine: a leader that cannot renew in time steps down. */
const ELECTION_FLAGS = [
  '--leader-elect',
  '--leader-elect-lease-duration',
  '10s',
  '--leader-elect-renew-deadline',
  '8s',
  '--leader-elect-retry-period',
  '1s',
];
/** Longer than any lease. */
const PAUSE_MS = 12_000;

interface FaultContext {
  readonly plane: ControlPlane;
  readonly replicas: Replica[];
  readonly checks: Check[];
  readonly release: string;
}

/** Runs two replicas with leader election, and injects faults during changes. */
export async function runFaultChecks(release: string, seed: number): Promise<Check[]> {
  const plane = await startControlPlane(release);
  const context: FaultContext = { plane, replicas: [], checks: [], release };
  try {
    await load(plane.api, createManifests(seed));
    context.replicas.push(await startReplica(plane.kubeconfig, ELECTION_FLAGS), await startReplica(plane.kubeconfig, ELECTION_FLAGS));
    await checkConvergence('start', context);
    for (const [name, fault] of FAULTS) {
      console.log(`${name} ...`);
      const stopChanges = new AbortController();
      const changes = changeUntil(plane, seed, stopChanges.signal);
      await pause(2000);
      await fault(context);
      stopChanges.abort();
      await changes;
      await checkConvergence(name, context);
    }
    for (const replica of context.replicas) context.checks.push(check('replica', 'exit code', await replica.stop(), 0));
    return context.checks;
  } finally {
    for (const { child } of context.replicas) child.kill('SIGKILL');
    await plane.stop();
  }
}

const FAULTS: readonly (readonly [string, (context: FaultContext) => Promise<void>])[] = [
  ['kill -9 of the API server', ({ plane }) => killAndRestart(plane, 'kube-apiserver')],
  ['kill -9 of etcd', ({ plane }) => killAndRestart(plane, 'etcd')],
  ['kill -9 of the leader', killLeader],
  ['the leader is paused for longer than its lease', pauseLeader],
  ['the time of day jumps forward and back by hours', jumpClock],
];

async function killAndRestart(plane: ControlPlane, component: 'etcd' | 'kube-apiserver'): Promise<void> {
  plane.kill(component);
  await pause(3000);
  await plane.restart(component);
  await pause(3000);
}

async function killLeader(context: FaultContext): Promise<void> {
  const { leader, other } = await rolesOf(context);
  leader.kill('SIGKILL');
  await waitUntil('the other replica leads', () => other.leads(), 60_000);
  context.replicas.splice(context.replicas.indexOf(leader), 1, await startReplica(context.plane.kubeconfig, ELECTION_FLAGS));
  await pause(2000);
}

/**
 * After the leader resumes, it must not start a sync that writes. A sync that was in progress at the pause may finish: its write was
 * answered during the pause and is logged after it.
 */
async function pauseLeader(context: FaultContext): Promise<void> {
  const { leader, other } = await rolesOf(context);
  leader.kill('SIGSTOP');
  const writesBeforePause = leader.loggedWrites().length;
  await waitUntil('the other replica leads', () => other.leads(), 60_000);
  const pausedAt = Date.now();
  await pause(PAUSE_MS);
  leader.kill('SIGCONT');
  await pause(5000);
  const lateWrites = leader
    .loggedWrites()
    .slice(writesBeforePause)
    .filter(({ time, duration }) => Date.parse(String(time)) - Number(duration) * 1000 > pausedAt);
  context.checks.push(check('paused leader', 'writes after the pause', lateWrites, []));
  context.checks.push(check('paused leader', 'leads', await leader.leads(), false), check('other', 'leads', await other.leads(), true));
}

async function jumpClock(context: FaultContext): Promise<void> {
  const { leader, other } = await rolesOf(context);
  // A replica moves its time of day when it gets SIGUSR2.
  for (const replica of [leader, other, leader, other]) {
    replica.kill('SIGUSR2');
    await pause(3000);
  }
  context.checks.push(check('after the jumps', 'the leader has not changed', [await leader.leads(), await other.leads()], [true, false]));
}

async function rolesOf({ replicas: [a, b] }: FaultContext): Promise<{ leader: Replica; other: Replica }> {
  if (!a || !b) throw new Error('this test needs two replicas');
  await waitUntil('a replica leads', async () => (await a.leads()) || (await b.leads()), 60_000);
  return (await a.leads()) ? { leader: a, other: b } : { leader: b, other: a };
}

async function checkConvergence(name: string, { plane, replicas, checks, release }: FaultContext): Promise<void> {
  const startedAt = Date.now();
  const snapshot = await waitUntilSettled(plane.api, release);
  const comparisons = compareCluster(snapshot, release);
  checks.push(...comparisons);
  const readLeadership = (): Promise<boolean[]> => Promise.all(replicas.map((replica) => replica.leads()));
  let leaders: boolean[] = [];
  // Leadership may change at any time; there are never two leaders.
  const hasLeader = async (): Promise<boolean> => {
    leaders = await readLeadership();
    return leaders.includes(true);
  };
  await waitUntil('a replica leads', hasLeader, 60_000).catch(() => undefined);
  checks.push(check(name, 'leaders', leaders.filter(Boolean).length, 1));
  const failed = comparisons.filter(({ passed }) => !passed).length;
  console.log(
    `${name}: ${comparisons.length} comparisons, ${failed} failed, settled after ${Math.round((Date.now() - startedAt) / 1000)} s`,
  );
}

/** Changes objects until the signal aborts. Ignores errors, because servers may be down and other clients may delete an object first. */
async function changeUntil(plane: ControlPlane, seed: number, signal: AbortSignal): Promise<void> {
  for (let round = 0; !signal.aborted; round += 1) {
    try {
      await applyRandomChanges(plane.api, await readClusterSnapshot(plane.api), createRandom(seed + round * 31), CHANGE_COUNTS);
    } catch {
      await pause(500);
    }
    await pause(500);
  }
}
