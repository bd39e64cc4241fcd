import type { ApiObject } from 'kube-endpoints/port';
import { type Cluster, createCluster } from '../cluster/cluster.ts';
import type { ChooseDelay } from '../engine/delays.ts';
import type { TimelineEntry } from '../engine/timeline.ts';
import { type ApplicationSettings, applicationDefaults } from '../network/application.ts';
import { createNetwork } from '../network/network.ts';
import type { RouteTable } from '../network/router.ts';
import { type Drop, isComponent } from './drop.ts';
import { findDrops } from './drops.ts';
import type { Environment } from './environment.ts';
import { quietTime, settle } from './settle.ts';
import { createDelayFaults, type DelayFaults } from './simulation/delay-faults.ts';
import { type Container, createProcesses, type Processes } from './simulation/processes.ts';
import { type CreateOverrides, createRulesWebhook, type RulesWebhook } from './simulation/rules.ts';

export interface Scenario extends Environment {
  /** The cluster before the first action. It runs until it is at rest. */
  readonly objects: readonly ApiObject[];
  /** What happens. Actions of the same time happen in their order. */
  readonly actions: readonly Action[];
  /** How the process of a container differs from `application`. */
  applicationOf?(cluster: Cluster, container: Container): Partial<ApplicationSettings>;
  /** For actions that set rules. */
  readonly createOverrides?: CreateOverrides | undefined;
}

export interface Action {
  /** Milliseconds since the start. */
  readonly at: number;
  /** May schedule further work. */
  run(context: ScenarioContext): void;
  /** Lists what it has not completed at the end, besides workloads. */
  remaining?(cluster: Cluster): string[];
}

/** What an action can change. */
export interface ScenarioContext {
  readonly cluster: Cluster;
  readonly routes: RouteTable;
  readonly processes: Processes;
  readonly delayFaults: DelayFaults;
  /** Absent without `createOverrides`. */
  readonly rules?: RulesWebhook | undefined;
}

export interface Run {
  readonly timeline: readonly TimelineEntry[];
  /** The start: the time of the change, in milliseconds since the epoch. */
  readonly since: number;
  readonly drops: readonly Drop[];
  /** What was still not at rest at the end, for example "Deployment shop/web"; empty if the change was completed. */
  readonly unfinished: readonly string[];
}

/**
 * Runs a cluster until it is at rest, runs the actions, and then runs it until it is at rest again.
 * @throws ApiError if an object is invalid
 * @throws RangeError if `clients.components` has an unknown component
 */
export function runScenario(scenario: Scenario, choose: ChooseDelay): Run {
  const { actions, clients } = scenario;
  const context = createContext(scenario, choose);
  const { cluster, routes } = context;
  settle(cluster, quietTime(cluster));
  checkComponents(routes, clients?.components);
  const since = cluster.clock.now();
  for (const { at, run } of actions) cluster.clock.at(since + at, () => run(context));
  cluster.runUntil(since + Math.max(0, ...actions.map(({ at }) => at)));
  const unfinished = [...settle(cluster, quietTime(cluster)), ...actions.flatMap(({ remaining }) => remaining?.(cluster) ?? [])];
  const drops = findDrops(cluster.timeline, { since, ...(clients && { clients }) });
  return { timeline: cluster.timeline, since, drops, unfinished };
}

/** Creates a cluster with its network, and with what actions need. */
function createContext(scenario: Scenario, choose: ChooseDelay): ScenarioContext {
  const { objects, ranges, network, application, applicationOf, createOverrides } = scenario;
  const delayFaults = createDelayFaults(choose, () => cluster.clock.now());
  const rules = createOverrides && createRulesWebhook(() => cluster, createOverrides);
  let processes: Processes | undefined;
  const cluster: Cluster = createCluster({
    objects,
    choose: delayFaults.choose,
    ...(ranges && { ranges }),
    ...(rules && { admit: rules.admit }),
    startApplication: (clock) => {
      const settings = { ...applicationDefaults, ...application };
      processes = createProcesses(clock, (container) => (applicationOf ? { ...settings, ...applicationOf(cluster, container) } : settings));
      return processes.start;
    },
  });
  const routes = createNetwork(cluster, cluster.list('Node'), network);
  return { cluster, routes, processes: processes as Processes, delayFaults, rules };
}

function checkComponents(routes: RouteTable, components: readonly string[] = []): void {
  const actors = routes.actors();
  const unknown = components.find((component) => !actors.some((actor) => isComponent(actor, [component])));
  if (unknown !== undefined)
    throw new RangeError(`clients.components: ${JSON.stringify(unknown)} does not route: give one of ${actors.join(', ')}`);
}
