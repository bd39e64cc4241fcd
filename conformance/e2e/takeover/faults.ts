import { setTimeout as pause } from 'node:timers/promises';
import { createRandom } from '../../../examples/random.ts';
import { applyRandomChanges } from '../changes.ts';
import { type Check, check } from '../compare.ts';
import { load } from '../load.ts';
import { readWorld } from '../world.ts';
import { type ControlPlane, startControlPlane } from './control-plane.ts';
import { type Replica, startReplica, until } from './replica.ts';
import { compareAll, settleWorld } from './settle.ts';
import { createManifests } from './world.ts';

const CHANGES = { pods: 25, services: 2 };
/** Long enough for a busy machine, because a leader that cannot renew in time correctly steps down. */
const ELECTION = [
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

interface Stage {
  readonly plane: ControlPlane;
  readonly replicas: Replica[];
  readonly checks: Check[];
  readonly release: string;
}

/** Two replicas with leader election, and faults during changes. */
export async function faults(release: string, seed: number): Promise<Check[]> {
  const plane = await startControlPlane(release);
  const stage: Stage = { plane, replicas: [], checks: [], release };
  try {
    await load(plane.api, createManifests(seed));
    stage.replicas.push(await startReplica(plane.kubeconfig, ELECTION), await startReplica(plane.kubeconfig, ELECTION));
    await converges('start', stage);
    for (const [name, fault] of FAULTS) {
      console.log(`${name} ...`);
      const going = new AbortController();
      const changing = changeUntil(plane, seed, going.signal);
      await pause(2000);
      await fault(stage);
      going.abort();
      await changing;
      await converges(name, stage);
    }
    for (const replica of stage.replicas) stage.checks.push(check('replica', 'exit code', await replica.stop(), 0));
    return stage.checks;
  } finally {
    for (const { child } of stage.replicas) child.kill('SIGKILL');
    await plane.stop();
  }
}

const FAULTS: readonly (readonly [string, (stage: Stage) => Promise<void>])[] = [
  ['kill -9 of the API server', ({ plane }) => killAndRestart(plane, 'kube-apiserver')],
  ['kill -9 of etcd', ({ plane }) => killAndRestart(plane, 'etcd')],
  ['kill -9 of the leader', killLeader],
  ['the leader stands still for longer than its lease', pauseLeader],
  ['the time of day jumps by hours, forth and back', jump],
];

async function killAndRestart(plane: ControlPlane, part: 'etcd' | 'kube-apiserver'): Promise<void> {
  plane.kill(part);
  await pause(3000);
  await plane.restart(part);
  await pause(3000);
}

async function killLeader(stage: Stage): Promise<void> {
  const { leader, other } = await rolesOf(stage);
  leader.kill('SIGKILL');
  await until('the other one leads', () => other.leads(), 60_000);
  stage.replicas.splice(stage.replicas.indexOf(leader), 1, await startReplica(stage.plane.kubeconfig, ELECTION));
  await pause(2000);
}

/**
 * After it resumes, it must not start a sync that writes. A sync in progress at the pause may finish: its write was answered in the
 * meantime and is logged only now.
 */
async function pauseLeader(stage: Stage): Promise<void> {
  const { leader, other } = await rolesOf(stage);
  leader.kill('SIGSTOP');
  const written = leader.loggedWrites().length;
  await until('the other one leads', () => other.leads(), 60_000);
  const stopped = Date.now();
  await pause(PAUSE_MS);
  leader.kill('SIGCONT');
  await pause(5000);
  const late = leader
    .loggedWrites()
    .slice(written)
    .filter(({ time, duration }) => Date.parse(String(time)) - Number(duration) * 1000 > stopped);
  stage.checks.push(check('paused leader', 'writes after the pause', late, []));
  stage.checks.push(check('paused leader', 'leads', await leader.leads(), false), check('other', 'leads', await other.leads(), true));
}

async function jump(stage: Stage): Promise<void> {
  const { leader, other } = await rolesOf(stage);
  for (const replica of [leader, other, leader, other]) {
    replica.kill('SIGUSR2');
    await pause(3000);
  }
  stage.checks.push(check('after the jumps', 'the leader has not changed', [await leader.leads(), await other.leads()], [true, false]));
}

async function rolesOf({ replicas: [a, b] }: Stage): Promise<{ leader: Replica; other: Replica }> {
  if (!a || !b) throw new Error('this test needs two replicas');
  await until('one of the two leads', async () => (await a.leads()) || (await b.leads()), 60_000);
  return (await a.leads()) ? { leader: a, other: b } : { leader: b, other: a };
}

async function converges(name: string, { plane, replicas, checks, release }: Stage): Promise<void> {
  const began = Date.now();
  const world = await settleWorld(plane.api, release);
  const found = compareAll(world, release);
  checks.push(...found);
  const look = (): Promise<boolean[]> => Promise.all(replicas.map((replica) => replica.leads()));
  let leaders: boolean[] = [];
  // Leadership may change at any time; there are never two leaders.
  const someoneLeads = async (): Promise<boolean> => {
    leaders = await look();
    return leaders.includes(true);
  };
  await until('one of them leads', someoneLeads, 60_000).catch(() => undefined);
  checks.push(check(name, 'leaders', leaders.filter(Boolean).length, 1));
  const failed = found.filter(({ passed }) => !passed).length;
  console.log(`${name}: ${found.length} comparisons, ${failed} failed, settled after ${Math.round((Date.now() - began) / 1000)} s`);
}

/** Ignores changes that fail because their object does not exist. */
async function changeUntil(plane: ControlPlane, seed: number, signal: AbortSignal): Promise<void> {
  for (let round = 0; !signal.aborted; round += 1) {
    try {
      await applyRandomChanges(plane.api, await readWorld(plane.api), createRandom(seed + round * 31), CHANGES);
    } catch {
      await pause(500);
    }
    await pause(500);
  }
}
