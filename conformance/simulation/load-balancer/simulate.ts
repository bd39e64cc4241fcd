import { createMemoryCloud, type MemoryCloud } from '@kube-endpoints/controllers/clouds';
import { resources } from 'kube-endpoints/port';
import type { Counts, SimulationContext } from '../harness/context.ts';
import { type Outcome, type Scenario, simulateSeed } from '../harness/simulate.ts';
import { runRandomAction } from '../harness/test-client.ts';
import { createDesiredState } from './checks/desired-state.ts';
import { checkFinal } from './checks/final.ts';
import { actions, createInitialObjects, loseBalancer, repairCluster } from './client/actions.ts';
import { serviceNamespaces } from './client/services.ts';
import { createCloudFaults } from './cloud/faults.ts';
import { createFleet } from './fleet.ts';
import { createSettings, noCloudFaults, type Settings } from './settings.ts';

/** Runs one seed of the service load-balancer controller and returns the problems that it found. */
export const simulate = (seed: number): Promise<Outcome> =>
  simulateSeed(seed, { createSettings, namespaces: serviceNamespaces, createInitialObjects, createScenario });

function createScenario(context: SimulationContext<Settings>): Scenario {
  const { settings, scheduler, client, history, counts } = context;
  const { random } = settings;
  const { cloud, outage, endCloudFaults } = createCloud(context);
  const desired = createDesiredState(history, settings);
  const countAction = (action: string): void => countChange(counts, action);
  const fleet = createFleet({ context, desired, outage, countAction, cloud: cloud.balancers, uidsWithFinalizer: new Set() });
  const loseOne = (): void => loseLoadBalancer(context, cloud);
  return {
    fleet,
    maxPausesMs: [100, 2000, 10_000],
    longPause: { chance: 0.05, maxMs: 120_000 },
    changeCluster: () => (random.chance(0.03) ? loseOne() : runRandomAction(client, actions, settings)),
    endFaults() {
      endCloudFaults();
      // One more loss, when no other event causes a sync.
      if (random.chance(0.4)) scheduler.schedule(loseOne, 30_000 + random.below(60_000));
      return repairCluster(client, settings);
    },
    // Failed syncs are retried within five minutes, and a hanging connection is aborted after ten and a half minutes.
    timeoutMs: 2 * 60 * 60_000,
    intervalMs: 10_000,
    quietMs: computeQuietMs(settings),
    progress: () => `${history.latestVersion(resources.services)} ${history.latestVersion(resources.nodes)}`,
    check: () => checkFinal(history, desired, cloud.held),
    idleCheckMs: 1_800_000,
    changeNoun: 'writes and calls',
  };
}

/** The time in which every periodic check runs at least once. */
const computeQuietMs = ({ cloudTimeout, orphanSweep, canList }: Settings): number =>
  Math.max(cloudTimeout, canList ? orphanSweep : 0, 100_000) + 30_000;

function createCloud({ settings, scheduler, serverClock: clock }: SimulationContext<Settings>) {
  let faultRates = settings.cloud;
  const faults = createCloudFaults({ random: settings.random.fork(), settings, faultRates: () => faultRates, now: () => scheduler.time });
  return {
    cloud: createMemoryCloud({ clock, faults: faults.next, keptCalls: 1 }),
    outage: (milliseconds: number) => faults.startOutage(scheduler.time + milliseconds),
    endCloudFaults() {
      faultRates = noCloudFaults;
      faults.startOutage(0);
    },
  };
}

const readOnlyCalls: ReadonlySet<string> = new Set(['list', 'get']);

/** Counts writes of Services and cloud calls that change something. */
function countChange(counts: Counts, action: string): void {
  if (action !== 'write') counts.actionCount += 1;
  if (!readOnlyCalls.has(action)) counts.changeCount += 1;
}

function loseLoadBalancer({ settings, trace, client, counts }: SimulationContext<Settings>, cloud: MemoryCloud): void {
  counts.changeCount += 1;
  trace.log('cloud', 'loses', loseBalancer(client, settings, cloud) ?? 'nothing');
}
