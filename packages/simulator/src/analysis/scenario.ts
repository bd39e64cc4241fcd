import type { ApiObject } from 'kube-endpoints/port';
import { type Cluster, type ClusterOptions, createCluster, defaultStart } from '../cluster/cluster.ts';
import { type ChooseDelay, createRandomChoice } from '../engine/delays.ts';
import type { TimelineEntry } from '../engine/timeline.ts';
import { type ApplicationSettings, applicationDefaults } from '../network/application.ts';
import { createNetwork } from '../network/network.ts';
import type { Listeners, RouteTable } from '../network/router.ts';
import { type Drop, isComponent } from './drop.ts';
import { findDrops } from './drops.ts';
import type { Environment } from './environment.ts';
import { createListeners } from './pods.ts';
import type { Proof } from './proof/proof.ts';
import { settle } from './settle.ts';
import { createDelayFaults, type DelayFaults } from './simulation/delay-faults.ts';
import { type Container, createProcesses, type Processes } from './simulation/processes.ts';
import { type CreateOverrides, createRulesWebhook, type RulesWebhook } from './simulation/rules.ts';

export interface Scenario extends Environment {
  /** The manifests of the cluster before the first action. */
  readonly objects: readonly ApiObject[];
  /** What happens. Actions of the same time happen in their order. */
  readonly actions: readonly Action[];
  /** How the process of a container differs from `application`. */
  applicationOf?(reader: Pick<Cluster, 'get'>, container: Container): Partial<ApplicationSettings>;
  /** For actions that set rules. */
  readonly createOverrides?: CreateOverrides | undefined;
  /** Proves from the cluster at rest that no order of events drops a request. Absent if such a scenario has no proofs. */
  readonly prove?: ((start: Start, environment: Environment) => Proof) | undefined;
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
  /** What was still not at rest at the end, for example "Deployment shop/web", and why its pods fit on no node; empty if the change was completed. */
  readonly unfinished: readonly string[];
}

/** A cluster at rest. */
export interface Start {
  readonly objects: readonly ApiObject[];
  /** In milliseconds since the epoch. */
  readonly time: number;
}

/**
 * Runs a cluster from its manifests until it is at rest: the start of every run.
 * @throws ApiError if an object is invalid
 */
export function startScenario(scenario: Scenario): Start {
  const parts = createContext(scenario, { objects: scenario.objects, choose: createRandomChoice(0) });
  const { cluster, listeners } = parts;
  // Only pods with readiness gates need the network to become ready.
  const network = scenario.network?.loadBalancer?.readinessGate ? scenario.network : undefined;
  if (network) createNetwork({ ...cluster, listeners }, cluster.list('Node'), network);
  settle(cluster, pendingUntil(parts), network);
  return { objects: cluster.objects(), time: cluster.clock.now() };
}

/**
 * Continues a cluster at rest, runs the actions, and then runs it until it is at rest again.
 * @param phaseMs how long after a whole second the actions begin, in milliseconds
 * @throws ApiError if an object of the actions is invalid
 * @throws RangeError if `clients.components` has an unknown component
 */
export function runScenario(scenario: Scenario, { objects, time }: Start, choose: ChooseDelay, phaseMs = 0): Run {
  const { actions, clients, network } = scenario;
  const parts = createContext(scenario, { objects, choose, start: time });
  const { cluster, listeners } = parts;
  const routes = createNetwork({ ...cluster, listeners }, cluster.list('Node'), network);
  const context = { ...parts, routes };
  settle(cluster, pendingUntil(parts), network);
  checkComponents(routes, clients?.components);
  cluster.runUntil(cluster.clock.now() + phaseMs);
  const since = cluster.clock.now();
  for (const { at, run } of actions) cluster.clock.at(since + at, () => run(context));
  cluster.runUntil(since + Math.max(0, ...actions.map(({ at }) => at)));
  const unfinished = [...settle(cluster, pendingUntil(parts), network), ...actions.flatMap(({ remaining }) => remaining?.(cluster) ?? [])];
  const drops = findDrops(cluster.timeline, { since, ...(clients && { clients }) });
  return { timeline: cluster.timeline, since, drops, unfinished };
}

/** When the last of the delays and processes ends that have begun. */
const pendingUntil =
  ({ delayFaults, processes }: Pick<ScenarioContext, 'delayFaults' | 'processes'>) =>
  (): number =>
    Math.max(delayFaults.pendingUntil(), processes.pendingUntil());

interface ClusterParts extends Omit<ScenarioContext, 'routes'> {
  readonly listeners: Listeners;
}

/** Creates a cluster with what actions need, except for its network. */
function createContext(scenario: Scenario, options: ClusterOptions & { readonly choose: ChooseDelay }): ClusterParts {
  const { ranges, application, applicationOf, createOverrides, network } = scenario;
  const settings = { ...applicationDefaults, ...application };
  // Containers that go on running start, and first delays begin, while the cluster is created.
  let isCreated = false;
  const reader: Pick<Cluster, 'get'> = {
    get: <T extends ApiObject>(kind: string, namespace: string, name: string) =>
      isCreated ? cluster.get<T>(kind, namespace, name) : (findObject(options.objects, kind, namespace, name) as T | undefined),
  };
  const delayFaults = createDelayFaults(options.choose, () => (isCreated ? cluster.clock.now() : (options.start ?? defaultStart)));
  const rules = createOverrides && createRulesWebhook(() => cluster, createOverrides);
  const processes = createProcesses((container) => (applicationOf ? { ...settings, ...applicationOf(reader, container) } : settings));
  const listeners = createListeners();
  const follow = (entry: TimelineEntry): void => {
    if (isCreated) cluster.clock.because(entry.id, () => listeners.apply(entry));
    else listeners.apply(entry);
  };
  const cluster: Cluster = createCluster({
    ...options,
    ...(network?.loadBalancer?.healthChecks && { onEntry: follow }),
    choose: delayFaults.choose,
    ...(ranges && { ranges }),
    ...(rules && { admit: rules.admit }),
    startApplication: processes.startOn,
  });
  isCreated = true;
  return { cluster, processes, delayFaults, rules, listeners };
}

const findObject = (objects: readonly ApiObject[], kind: string, namespace: string, name: string): ApiObject | undefined =>
  objects.find((object) => object.kind === kind && object.metadata.namespace === namespace && object.metadata.name === name);

function checkComponents(routes: RouteTable, components: readonly string[] = []): void {
  const actors = routes.actors();
  const unknown = components.find((component) => !actors.some((actor) => isComponent(actor, [component])));
  if (unknown !== undefined)
    throw new RangeError(`clients.components: ${JSON.stringify(unknown)} does not route: give one of ${actors.join(', ')}`);
}
