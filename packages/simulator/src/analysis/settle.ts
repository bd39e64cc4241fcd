import type { ApiObject } from 'kube-endpoints/port';
import type { Cluster } from '../cluster/cluster.ts';
import type { TimelineEntry } from '../engine/timeline.ts';
import { loadBalancerDefaults } from '../network/load-balancer.ts';
import type { NetworkSettings } from '../network/network.ts';
import { isJobFinished } from '../workloads/job/conditions.ts';
import { type Job, jobKind } from '../workloads/job/objects.ts';
import { controllerOf } from '../workloads/owner-references.ts';
import { type PodLike, workloadOf } from './proof/objects.ts';
import { keyOf, replicasOf, workloadKinds } from './world.ts';

/**
 * Runs a cluster until nothing has happened for the time of `quietTime`, and no delay goes on. Heartbeats do not count. After the loss of a node,
 * it runs until that was noticed; after a node got a NoExecute taint, until its pods are evicted; after a container crashed or a pod of a Job failed,
 * until its longest back-off has ended.
 * @param pendingUntil returns when the last of the delays that have begun ends, in milliseconds since the epoch; also that of a process that exits
 * @returns the workloads that are not complete, for example "Deployment shop/web", or, if a pod of it fits on no node, with the reason in parentheses
 */
export function settle(cluster: Cluster, pendingUntil: () => number, network?: NetworkSettings): string[] {
  const { clock, timeline, runUntil } = cluster;
  const quietMs = quietTime(cluster, network);
  const begin = clock.now();
  const end = begin + maxSettleMs;
  let seen = 0;
  let quietSince = begin;
  while (clock.now() < end && clock.now() < Math.max(quietSince + quietMs, pendingUntil() + marginMs)) {
    runUntil(clock.now() + stepMs);
    for (; seen < timeline.length; seen += 1) {
      const entry = timeline[seen] as TimelineEntry;
      if (!isHeartbeat(entry)) quietSince = Math.max(quietSince, entry.at + consequenceTime(cluster, entry, begin));
    }
  }
  return findUnfinished(cluster);
}

const stepMs = 1000;

/** A cluster that is not at rest after this time is analysed as it is. */
const maxSettleMs = 3_600_000;

const isHeartbeat = (entry: TimelineEntry): boolean => entry.type === 'event' || ('object' in entry && entry.object.kind === 'Lease');

/** What follows the last delay, such as a sync and its requests. */
const marginMs = 15_000;

/** How long an entry may have no visible consequence, in milliseconds. */
function consequenceTime(cluster: Cluster, entry: TimelineEntry, begin: number): number {
  if (entry.type === 'node' && entry.what === 'lost') return lossMs;
  if (entry.type !== 'update') return 0;
  const { object, previous } = entry;
  // A container that crashes again after this back-off will always do so.
  if (object.kind === 'Pod') return Math.max(0, begin + backOffTime(object as PodObject) - entry.at);
  return object.kind === 'Node' && isTainted(object) && !(previous && isTainted(previous)) ? tolerationTime(cluster) : 0;
}

/** How long a pod that failed, or its Job, may wait before the next attempt. */
function backOffTime(pod: PodObject): number {
  if (isBackingOff(pod)) return maxBackOffMs;
  return pod.status?.phase === 'Failed' && controllerOf(pod)?.kind === jobKind.kind ? maxJobBackOffMs : 0;
}

const isBackingOff = ({ status }: PodObject): boolean =>
  !!status?.containerStatuses?.some(({ state }) => state?.waiting?.reason === 'CrashLoopBackOff');

const isTainted = ({ spec }: ApiObject): boolean =>
  !!(spec as { readonly taints?: readonly { readonly effect: string }[] } | undefined)?.taints?.some(
    ({ effect }) => effect === 'NoExecute',
  );

/** The longest time for which a pod tolerates a taint. */
function tolerationTime(cluster: Cluster): number {
  const seconds = cluster
    .list<PodObject>('Pod')
    .flatMap(({ spec }) => spec?.tolerations?.flatMap((each) => each.tolerationSeconds ?? []) ?? []);
  return Math.max(defaultTolerationSeconds, ...seconds) * 1000;
}

/** The grace period of a node, and the periods of its Lease and of the check. */
const lossMs = 65_000;

/** The longest back-off of a container that crashes. */
const maxBackOffMs = 300_000;

/** The longest back-off of a Job whose pods fail. */
const maxJobBackOffMs = 600_000;

/** The default of `--default-not-ready-toleration-seconds` and `--default-unreachable-toleration-seconds` of kube-apiserver. */
const defaultTolerationSeconds = 300;

interface Template {
  readonly spec?: {
    readonly replicas?: number;
    readonly minReadySeconds?: number;
    /** Of a StatefulSet or DaemonSet. */
    readonly updateStrategy?: { readonly type?: string; readonly rollingUpdate?: { readonly partition?: number } };
    readonly template?: { readonly spec?: PodSpec };
  };
  readonly status?: Readonly<Record<string, number | undefined>>;
}

interface PodObject extends ApiObject {
  readonly spec?: PodSpec;
  readonly status?: {
    readonly phase?: string;
    readonly containerStatuses?: readonly { readonly state?: { readonly waiting?: { readonly reason?: string } } }[];
  };
}

interface PodSpec {
  readonly terminationGracePeriodSeconds?: number;
  readonly containers?: readonly Readonly<Record<string, ProbeTimes | undefined>>[];
  readonly tolerations?: readonly { readonly tolerationSeconds?: number }[];
}

interface ProbeTimes {
  readonly initialDelaySeconds?: number;
  readonly periodSeconds?: number;
  readonly failureThreshold?: number;
  readonly successThreshold?: number;
}

/**
 * The longest time in milliseconds in which nothing may happen although a change is not complete: grace periods, probes, minReadySeconds, and the
 * periods of the network.
 */
function quietTime({ list }: Pick<Cluster, 'list'>, network: NetworkSettings = {}): number {
  const templates = [...workloadKinds, 'ReplicaSet'].flatMap((kind) => list<ApiObject>(kind) as readonly Template[]);
  const seconds = [
    ...templates.map(({ spec }) => spec?.minReadySeconds ?? 0),
    ...templates.map(({ spec }) => waitOf(spec?.template?.spec)),
    ...list<PodObject>('Pod').map(({ spec }) => waitOf(spec)),
  ];
  return seconds.reduce((a, b) => Math.max(a, b), Math.max(30, waitOfNetwork(network) / 1000)) * 1000 + marginMs;
}

function waitOf({ terminationGracePeriodSeconds = 30, containers = [] }: PodSpec = {}): number {
  const probes = containers.flatMap((container) => [container['readinessProbe'], container['livenessProbe'], container['startupProbe']]);
  const times = probes.map((probe) => {
    const { initialDelaySeconds = 0, periodSeconds = 10, failureThreshold = 3, successThreshold = 1 } = probe ?? {};
    return initialDelaySeconds + periodSeconds * Math.max(2, failureThreshold, successThreshold);
  });
  return Math.max(terminationGracePeriodSeconds, ...times);
}

/** In milliseconds. */
function waitOfNetwork({ kubeProxy, loadBalancer, ingresses = [] }: NetworkSettings): number {
  const {
    healthCheckIntervalMs,
    unhealthyThreshold,
    healthyThreshold,
    windowMs,
    deregistrationDelayMs = 0,
  } = {
    ...loadBalancerDefaults,
    ...loadBalancer,
  };
  const intervals = ingresses.map(({ minIntervalMs = 0 }) => minIntervalMs);
  return Math.max(
    kubeProxy?.minSyncPeriodMs ?? 0,
    healthCheckIntervalMs * Math.max(unhealthyThreshold, healthyThreshold),
    windowMs,
    deregistrationDelayMs,
    ...intervals,
  );
}

function findUnfinished(cluster: Cluster): string[] {
  const workloads = workloadKinds.flatMap((kind) => cluster.list<ApiObject>(kind).filter((object) => !isComplete(kind, object)));
  if (workloads.length === 0) return [];
  const waiting = cluster.list<PodLike>('Pod').flatMap((pod) => {
    const condition = pod.status?.conditions?.find(({ type, status }) => type === 'PodScheduled' && status === 'False');
    return condition ? [{ workload: workloadOf(pod, cluster.list('ReplicaSet')), message: condition.message ?? '' }] : [];
  });
  return workloads.map((object) => {
    const message = waiting.find(({ workload }) => workload === keyOf(object))?.message;
    // What follows is about preemption.
    return message === undefined ? keyOf(object) : `${keyOf(object)} (${message.replace(/\. .*$/s, '')})`;
  });
}

/** Whether all replicas are updated and available, as `kubectl rollout status` decides; of a Job, whether it has ended, or its pods are ready. */
function isComplete(kind: string, object: ApiObject): boolean {
  if (kind === jobKind.kind) return isJobComplete(object as Job);
  const { spec, status = {} } = object as Template;
  if ((status['observedGeneration'] ?? 0) < (object.metadata.generation ?? 0)) return false;
  const isDaemonSet = kind === 'DaemonSet';
  const replicas = isDaemonSet ? (status['desiredNumberScheduled'] ?? 0) : (spec?.replicas ?? 1);
  const available = status[isDaemonSet ? 'numberAvailable' : 'availableReplicas'] ?? 0;
  const updated = status[isDaemonSet ? 'updatedNumberScheduled' : 'updatedReplicas'] ?? 0;
  const { type, rollingUpdate } = spec?.updateStrategy ?? {};
  return available >= replicas && (type === 'OnDelete' || updated >= replicas - (rollingUpdate?.partition ?? 0));
}

function isJobComplete(job: Job): boolean {
  const { active = 0, ready = 0 } = job.status ?? {};
  return isJobFinished(job) || (ready >= active && (active > 0 || replicasOf(job) === 0));
}
