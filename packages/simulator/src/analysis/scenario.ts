import type { ApiObject } from 'kube-endpoints/port';
import { type Cluster, type ClusterOptions, createCluster } from '../cluster/cluster.ts';
import { type ChooseDelay, createRandomChoice } from '../engine/delays.ts';
import type { TimelineEntry } from '../engine/timeline.ts';
import { applicationDefaults, createApplications } from '../network/application.ts';
import { createNetwork } from '../network/network.ts';
import type { Drop } from './drop.ts';
import { findDrops } from './drops.ts';
import type { Environment } from './environment.ts';
import { quietTime, settle } from './settle.ts';

export interface Scenario extends Environment {
  /** The manifests of the cluster before the change. */
  readonly objects: readonly ApiObject[];
  /** Makes the change. It may schedule further work. */
  change(cluster: Cluster): void;
  /** Lists what the change has not completed at the end, besides workloads. */
  remaining?(cluster: Cluster): string[];
}

export interface Run {
  readonly timeline: readonly TimelineEntry[];
  /** The time of the change, in milliseconds since the epoch. */
  readonly since: number;
  readonly drops: readonly Drop[];
  /** What was still not at rest at the end, for example "Deployment shop/web"; empty if the change was completed. */
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
  const cluster = createScenarioCluster(scenario, { objects: scenario.objects, choose: createRandomChoice(0) });
  settle(cluster, quietTime(cluster));
  return { objects: cluster.objects(), time: cluster.clock.now() };
}

/**
 * Continues a cluster at rest, makes the change, and runs it until it is at rest again.
 * @throws ApiError if an object of the change is invalid
 */
export function runScenario(scenario: Scenario, { objects, time }: Start, choose: ChooseDelay): Run {
  const { change, remaining, clients, network } = scenario;
  const cluster = createScenarioCluster(scenario, { objects, choose, start: time });
  createNetwork(cluster, cluster.list('Node'), network);
  settle(cluster, quietTime(cluster));
  const since = cluster.clock.now();
  change(cluster);
  const unfinished = [...settle(cluster, quietTime(cluster)), ...(remaining?.(cluster) ?? [])];
  const drops = findDrops(cluster.timeline, { since, ...(clients && { clients }) });
  return { timeline: cluster.timeline, since, drops, unfinished };
}

function createScenarioCluster({ ranges, application }: Scenario, options: ClusterOptions): Cluster {
  const settings = { ...applicationDefaults, ...application };
  return createCluster({
    ...options,
    ...(ranges && { ranges }),
    startApplication: (clock) => createApplications(clock, () => settings),
  });
}
