import { ApiError } from 'kube-endpoints/port';
import type { Steps } from '../../controller/controller.ts';
import { perform } from '../../controller/effects.ts';
import { sortInPlace } from '../../go/sort.ts';
import { isPodAvailable, isPodReady } from '../pods.ts';
import type { Pod } from '../types.ts';
import type { DaemonSetSync } from './context.ts';
import { createNodeFitTest } from './node-fit.ts';
import type { DaemonSet, DaemonSetStatus } from './objects.ts';
import { claimPodsByNode, isEarlierPod, isPodUpdated } from './pods.ts';

/** Fields of the status that Go prints even if they are 0, and then those that it omits. */
const required = ['desiredNumberScheduled', 'currentNumberScheduled', 'numberMisscheduled', 'numberReady'] as const;
const optional = ['updatedNumberScheduled', 'numberAvailable', 'numberUnavailable'] as const;
const countFields = [...required, ...optional] as const;

type Counts = Readonly<Record<(typeof countFields)[number], number>>;

/**
 * Computes the status of a DaemonSet, and writes it if it has changed: updateDaemonSetStatus (1.36,
 * pkg/controller/daemon/daemon_controller.go).
 * @param observes whether the sync has processed the current generation
 * @throws ApiError or SyncError if a claim or both writes fail
 */
export function* updateStatus(sync: DaemonSetSync, hash: string, observes: boolean): Steps {
  const { key, queue, consistency, daemonSet } = sync;
  const podsByNode = yield* claimPodsByNode(sync);
  const counts = countPods(sync, podsByNode, hash);
  const stored = yield* storeStatus(daemonSet, counts, observes);
  if (stored) consistency.recordWrite(key, stored.metadata.uid ?? '', 'DaemonSet', stored.metadata.resourceVersion ?? '');
  const { minReadySeconds = 0 } = daemonSet.spec;
  if (minReadySeconds > 0 && counts.numberReady !== counts.numberAvailable) queue.addAfter(key, minReadySeconds * 1000);
}

function countPods({ context, daemonSet, nodes }: DaemonSetSync, podsByNode: ReadonlyMap<string, readonly Pod[]>, hash: string): Counts {
  const now = context.now();
  const fit = createNodeFitTest(daemonSet);
  const isScheduled = ({ metadata }: { metadata: { name?: string } }): boolean => podsByNode.has(metadata.name ?? '');
  const wanted = nodes.filter((node) => fit(node).shouldRun);
  const pods = wanted.filter(isScheduled).map(({ metadata }) => firstPod(podsByNode.get(metadata.name ?? '') ?? []));
  const count = (predicate: (pod: Pod) => boolean): number => pods.filter(predicate).length;
  const numberAvailable = count((pod) => isPodAvailable(pod, daemonSet.spec.minReadySeconds ?? 0, now));
  return {
    desiredNumberScheduled: wanted.length,
    currentNumberScheduled: pods.length,
    numberMisscheduled: nodes.filter((node) => isScheduled(node) && !wanted.includes(node)).length,
    numberReady: count(isPodReady),
    updatedNumberScheduled: count((pod) => isPodUpdated(pod, daemonSet, hash)),
    numberAvailable,
    numberUnavailable: wanted.length - numberAvailable,
  };
}

function firstPod(pods: readonly Pod[]): Pod {
  const sorted = [...pods];
  sortInPlace(sorted, isEarlierPod);
  return sorted[0] as Pod;
}

/** Writes a status if it has changed, with one retry on the newest DaemonSet. Returns the stored one: storeDaemonSetStatus. */
function* storeStatus(daemonSet: DaemonSet, counts: Counts, observes: boolean): Steps<DaemonSet | undefined> {
  const { metadata, status = {} } = daemonSet;
  const { namespace = '', name = '', generation = 0 } = metadata;
  const isSame = countFields.every((field) => (status[field] ?? 0) === counts[field]);
  if (isSame && (status.observedGeneration ?? 0) >= generation) return undefined;
  const write = (target: DaemonSet): Steps<DaemonSet> => {
    const observedGeneration = observes ? generation : target.status?.observedGeneration;
    return perform({
      do: 'update',
      kind: 'DaemonSet',
      object: { ...target, status: printStatus({ ...target.status, ...counts, ...(observedGeneration && { observedGeneration }) }) },
      subresource: 'status',
    });
  };
  try {
    return yield* write(daemonSet);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return yield* write(yield* perform<DaemonSet>({ do: 'get', kind: 'DaemonSet', namespace, name }));
  }
}

/** Drops the counts that Go omits if they are 0. */
const printStatus = (status: DaemonSetStatus): DaemonSetStatus =>
  Object.fromEntries(Object.entries(status).filter(([field, value]) => value !== 0 || !(optional as readonly string[]).includes(field)));
