import { createMemoryCloud, type MemoryCloud } from '@kube-endpoints/controllers/clouds';
import { resources } from 'kube-endpoints/port';
import { type Outcome, type Plot, simulateSeed } from '../harness/simulate.ts';
import type { Counts, Stage } from '../harness/stage.ts';
import { disturb } from '../harness/world.ts';
import { createDesiredState } from './checks/desired-state.ts';
import { checkFinal } from './checks/final.ts';
import { createCloudFaults } from './cloud/faults.ts';
import { createFleet } from './fleet.ts';
import { fairCloud, type Setting, settingOf } from './setting.ts';
import { actions, beginWorld, loseBalancer, repairWorld } from './world/actions.ts';
import { places } from './world/services.ts';

/** Runs one seed of the service load-balancer controller and returns the problems that it found. */
export const simulate = (seed: number): Promise<Outcome> => simulateSeed(seed, { settingOf, namespaces: places, beginWorld, plotOf });

function plotOf(stage: Stage<Setting>): Plot {
  const { setting, scheduler, world, chronicle, counts } = stage;
  const { random } = setting;
  const { cloud, outage, calmCloud } = createCloud(stage);
  const desired = createDesiredState(chronicle, setting);
  const acted = (what: string): void => count(counts, what);
  const fleet = createFleet({ stage, desired, outage, acted, cloud: cloud.balancers, secured: new Set() });
  const lose = (): void => loseOne(stage, cloud);
  return {
    fleet,
    paces: [100, 2000, 10_000],
    lull: { chance: 0.05, maxMs: 120_000 },
    happen: () => (random.chance(0.03) ? lose() : disturb(world, actions, setting)),
    endFaults() {
      calmCloud();
      // a last loss, when no other event causes a sync
      if (random.chance(0.4)) scheduler.schedule(lose, 30_000 + random.below(60_000));
      return repairWorld(world, setting);
    },
    // failed syncs are retried within five minutes, and a hanging connection is aborted after ten and a half
    timeoutMs: 2 * 60 * 60_000,
    intervalMs: 10_000,
    quietMs: calmTime(setting),
    progress: () => `${chronicle.latest(resources.services)} ${chronicle.latest(resources.nodes)}`,
    check: () => checkFinal(chronicle, desired, cloud.held),
    aftermathMs: 1_800_000,
    changes: 'writes and calls',
  };
}

/** The time after which every periodic verification has run once more. */
const calmTime = ({ cloudTimeout, orphanSweep, lists }: Setting): number =>
  Math.max(cloudTimeout, lists ? orphanSweep : 0, 100_000) + 30_000;

function createCloud({ setting, scheduler, serverClock: clock }: Stage<Setting>) {
  let weather = setting.cloud;
  const faults = createCloudFaults({ random: setting.random.fork(), setting, weather: () => weather, now: () => scheduler.time });
  return {
    cloud: createMemoryCloud({ clock, faults: faults.next, keptCalls: 1 }),
    outage: (milliseconds: number) => faults.outage(scheduler.time + milliseconds),
    calmCloud() {
      weather = fairCloud;
      faults.outage(0);
    },
  };
}

const onlyAsks: ReadonlySet<string> = new Set(['list', 'get']);

/** Counts writes of Services and cloud calls that change something. */
function count(counts: Counts, what: string): void {
  if (what !== 'write') counts.acts += 1;
  if (!onlyAsks.has(what)) counts.changes += 1;
}

function loseOne({ setting, trace, world, counts }: Stage<Setting>, cloud: MemoryCloud): void {
  counts.changes += 1;
  trace.note('cloud', 'loses', loseBalancer(world, setting, cloud) ?? 'nothing');
}
