import type { ApiObject } from 'kube-endpoints/port';
import type { Cluster } from '../cluster/cluster.ts';
import type { TimelineEntry } from '../engine/timeline.ts';
import { workloadKinds } from './world.ts';

/**
 * Runs a cluster until nothing has happened for a time. Heartbeats do not count. After the loss of a node, it runs until that was noticed; after a
 * node got a NoExecute taint, until its pods are evicted.
 * @param quietMs the time in milliseconds
 * @returns the workloads that are not complete, for example "Deployment shop/web"
 */
export function settle(cluster: Cluster, quietMs: number): string[] {
  const end = cluster.clock.now() + maxSettleMs;
  let seen = 0;
  let quietSince = cluster.clock.now();
  while (cluster.clock.now() < end && cluster.clock.now() < quietSince + quietMs) {
    cluster.runUntil(cluster.clock.now() + stepMs);
    for (; seen < cluster.timeline.length; seen += 1) {
      const entry = cluster.timeline[seen] as TimelineEntry;
      if (!isHeartbeat(entry)) quietSince = Math.max(quietSince, entry.at + consequenceTime(entry));
    }
  }
  return findUnfinished(cluster);
}

const stepMs = 1000;

/** A cluster that is not at rest after this time is analysed as it is. */
const maxSettleMs = 3_600_000;

const isHeartbeat = (entry: TimelineEntry): boolean => entry.type === 'event' || ('object' in entry && entry.object.kind === 'Lease');

/** How long an entry may have no visible consequence, in milliseconds. */
function consequenceTime(entry: TimelineEntry): number {
  if (entry.type === 'node' && entry.what === 'lost') return lossMs;
  if (entry.type !== 'update' || entry.object.kind !== 'Node') return 0;
  const isTainted = ({ spec }: ApiObject): boolean =>
    !!(spec as NodeSpec | undefined)?.taints?.some(({ effect }) => effect === 'NoExecute');
  return isTainted(entry.object) && !(entry.previous && isTainted(entry.previous)) ? tolerationMs : 0;
}

interface NodeSpec {
  readonly taints?: readonly { readonly effect: string }[];
}

/** The grace period of a node, and the periods of its Lease and of the check. */
const lossMs = 65_000;

/** The default of `--default-not-ready-toleration-seconds` and `--default-unreachable-toleration-seconds` of kube-apiserver. */
const tolerationMs = 300_000;

interface Template {
  readonly spec?: {
    readonly replicas?: number;
    readonly minReadySeconds?: number;
    readonly template?: { readonly spec?: PodSpec };
  };
  readonly status?: Readonly<Record<string, number | undefined>>;
}

interface PodSpec {
  readonly terminationGracePeriodSeconds?: number;
  readonly containers?: readonly Readonly<Record<string, ProbeTimes | undefined>>[];
}

interface ProbeTimes {
  readonly initialDelaySeconds?: number;
  readonly periodSeconds?: number;
  readonly failureThreshold?: number;
}

/** The longest time in which nothing may happen although a change is not complete: grace periods, probes and minReadySeconds. */
export function quietTime(cluster: Cluster): number {
  const seconds = workloadKinds.flatMap((kind) => cluster.list<ApiObject>(kind)).map((object) => waitOf(object as Template));
  return (Math.max(30, ...seconds) + 15) * 1000;
}

function waitOf({ spec = {} }: Template): number {
  const { terminationGracePeriodSeconds = 30, containers = [] } = spec.template?.spec ?? {};
  const probes = containers.flatMap((container) => [container['readinessProbe'], container['startupProbe']]);
  const delays = probes.map((probe) => (probe?.initialDelaySeconds ?? 0) + (probe?.periodSeconds ?? 10) * 2);
  return Math.max(terminationGracePeriodSeconds, spec.minReadySeconds ?? 0, ...delays);
}

function findUnfinished(cluster: Cluster): string[] {
  const workloads = workloadKinds.flatMap((kind) => cluster.list<ApiObject>(kind).filter((object) => !isComplete(kind, object)));
  return workloads.map(({ kind, metadata }) => `${kind} ${metadata.namespace}/${metadata.name}`);
}

/** Whether all replicas are updated and available, as `kubectl rollout status` decides. */
function isComplete(kind: string, object: ApiObject): boolean {
  const { spec, status = {} } = object as Template;
  if ((status['observedGeneration'] ?? 0) < (object.metadata.generation ?? 0)) return false;
  const replicas = kind === 'DaemonSet' ? (status['desiredNumberScheduled'] ?? 0) : (spec?.replicas ?? 1);
  const available = status[kind === 'DaemonSet' ? 'numberAvailable' : 'availableReplicas'] ?? 0;
  return available >= replicas && (kind !== 'Deployment' || (status['updatedReplicas'] ?? 0) >= replicas);
}
