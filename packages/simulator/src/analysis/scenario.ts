import type { ApiObject } from 'kube-endpoints/port';
import { type Cluster, createCluster } from '../cluster/cluster.ts';
import type { ChooseDelay } from '../engine/delays.ts';
import type { TimelineEntry } from '../engine/timeline.ts';
import { applicationDefaults, createApplications } from '../network/application.ts';
import { createNetwork } from '../network/network.ts';
import type { Drop } from './drop.ts';
import { findDrops } from './drops.ts';
import type { Environment } from './environment.ts';
import { quietTime, settle } from './settle.ts';

export interface Scenario extends Environment {
  /** The cluster before the change. It runs until it is at rest. */
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

/**
 * Runs a cluster until it is at rest, makes the change, and runs it until it is at rest again.
 * @throws ApiError if an object is invalid
 */
export function runScenario({ objects, change, remaining, clients, ranges, network, application }: Scenario, choose: ChooseDelay): Run {
  const settings = { ...applicationDefaults, ...application };
  const cluster = createCluster({
    objects,
    choose,
    ...(ranges && { ranges }),
    startApplication: (clock) => createApplications(clock, () => settings),
  });
  createNetwork(cluster, cluster.list('Node'), network);
  settle(cluster, quietTime(cluster));
  const since = cluster.clock.now();
  change(cluster);
  const unfinished = [...settle(cluster, quietTime(cluster)), ...(remaining?.(cluster) ?? [])];
  const drops = findDrops(cluster.timeline, { since, ...(clients && { clients }) });
  return { timeline: cluster.timeline, since, drops, unfinished };
}
