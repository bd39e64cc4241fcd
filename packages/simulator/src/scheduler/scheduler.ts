import { messageOf, metaNamespaceKey } from 'kube-endpoints/internal/apimachinery';
import type { ApiObject } from 'kube-endpoints/port';
import { type Change, type Controller, type ControllerContext, isFailure, type Queue, type Steps } from '../controller/controller.ts';
import { emit } from '../controller/effects.ts';
import { catchFailure } from '../workloads/errors.ts';
import { patchPodCondition } from '../workloads/pod-condition.ts';
import { isPodTerminal } from '../workloads/pods.ts';
import { defaultBackoff, isCausedBy, retryOn } from '../workloads/retry.ts';
import { type ClusterEvent, toNodeEvent, toPodEvent } from './cluster-event.ts';
import { type ClusterNodes, createClusterNodes } from './cluster-nodes.ts';
import { printFitError } from './fit-error.ts';
import type { NodeInfo } from './node-info.ts';
import { bestNodes, type FeasibleNodes, findFeasibleNodes, scoreNodes } from './placement.ts';
import type { Cycle } from './plugin.ts';
import { isWorthRetrying } from './requeue-hints.ts';
import { createSchedulingQueue, type QueuedPod, type SchedulingQueue } from './scheduling-queue.ts';
import type { Pod } from './types.ts';

/**
 * The scheduler with its default profile: 1.36, pkg/scheduler/schedule_one.go and eventhandlers.go. It is a controller: the key "schedule"
 * places the next pod of its own queue, and a key for each placed pod binds it, beside the next placements.
 */
export function createScheduler(context: ControllerContext, options: SchedulerOptions = {}): Controller {
  const state: State = {
    context,
    options: { drawDuration: () => 0, choose: (best) => best[context.random(best.length)], ...options },
    cluster: createClusterNodes(),
    queue: createSchedulingQueue(context.now),
    bindings: new Map(),
    startIndex: 0,
  };
  return {
    name: 'default-scheduler',
    kinds: ['Namespace', 'Service', 'ReplicationController', 'ReplicaSet', 'StatefulSet', 'Node', 'Pod'],
    concurrentSyncs: Infinity,
    handle(change, queue) {
      if (change.kind === 'Node') handleNode(state, change);
      else if (change.kind === 'Pod') handlePod(state, change);
      else return;
      queue.add(scheduleKey);
    },
    *sync(key, queue) {
      if (key !== scheduleKey) yield* bind(state, key, queue);
      else yield* scheduleOne(state, queue);
      if (key !== scheduleKey) queue.add(scheduleKey);
    },
  };
}

const scheduleKey = 'schedule';

export interface SchedulerOptions {
  /** How long the next placement takes, in milliseconds; by default no time. */
  readonly drawDuration?: () => number;
  /** Decides between nodes with the same score; by default `random` does. */
  readonly choose?: (best: readonly NodeInfo[]) => NodeInfo | undefined;
}

interface Binding {
  readonly queued: QueuedPod;
  readonly node: string;
}

interface State {
  readonly context: ControllerContext;
  readonly options: Required<SchedulerOptions>;
  readonly cluster: ClusterNodes;
  readonly queue: SchedulingQueue;
  /** Pods that are placed and not bound yet, by key. */
  readonly bindings: Map<string, Binding>;
  /** The node at which the next search starts. */
  startIndex: number;
}

function handleNode(state: State, change: Change): void {
  if (change.current) state.cluster.setNode(change.current);
  else state.cluster.removeNode(change.previous?.metadata.name ?? '');
  retry(state, () => toNodeEvent(change));
}

/** Tries rejected pods again. The event is only created if there are any, because most changes help none. */
function retry({ queue }: State, createEvent: () => ClusterEvent): void {
  let event: ClusterEvent | undefined;
  queue.retry((queued) => {
    event ??= createEvent();
    return isWorthRetrying(queued, event);
  });
}

/** The scheduler does not see pods that have ended. */
function handlePod(state: State, { previous, current }: Change): void {
  const isSeen = (pod: ApiObject | undefined): pod is Pod => pod !== undefined && !isPodTerminal(pod as never);
  const before = isSeen(previous) ? previous : undefined;
  const after = isSeen(current) ? current : undefined;
  if (after?.spec?.nodeName) setAssignedPod(state, before, after);
  else if (after) setPendingPod(state, before, after);
  else if (before) removePod(state, before);
}

function setAssignedPod(state: State, before: Pod | undefined, after: Pod): void {
  state.cluster.setPod(after);
  const wasAssigned = Boolean(before?.spec?.nodeName);
  if (before && !wasAssigned) state.queue.delete(before);
  retry(state, () => toPodEvent(wasAssigned ? before : undefined, after));
}

function setPendingPod({ queue, bindings }: State, before: Pod | undefined, after: Pod): void {
  if ((after.spec?.schedulerName ?? 'default-scheduler') !== 'default-scheduler') return;
  if (!before) queue.add(after);
  else if (!bindings.has(metaNamespaceKey(after.metadata)))
    queue.update(after, (queued) => isWorthRetrying(queued, toPodEvent(before, after)));
}

function removePod(state: State, pod: Pod): void {
  const wasPlaced = Boolean(pod.spec?.nodeName) || state.bindings.has(metaNamespaceKey(pod.metadata));
  state.queue.delete(pod);
  state.cluster.removePod(pod.metadata.uid ?? '');
  if (wasPlaced) retry(state, () => toPodEvent(pod, undefined));
}

/** Places the next pod, or waits for the end of a back-off. */
function* scheduleOne(state: State, workQueue: Queue): Steps {
  const { queue, context, options, cluster } = state;
  const queued = queue.pop();
  if (!queued) {
    const time = queue.nextTime();
    if (time !== undefined) workQueue.addAfter(scheduleKey, Math.max(time - context.now(), 1));
    return;
  }
  // The next placement follows when this one has reported its result.
  workQueue.add(scheduleKey);
  const { pod } = queued.info;
  if (pod.metadata.deletionTimestamp !== undefined) {
    yield* emit(pod, 'Warning', 'FailedScheduling', `skip schedule deleting pod: ${metaNamespaceKey(pod.metadata)}`);
    return;
  }
  const cycle: Cycle = { pod, info: queued.info, nodes: cluster.list(), cache: context.cache, images: cluster.images };
  const found = findFeasibleNodes(cycle, { limit: feasibleNodesToFind(cycle.nodes.length), start: state.startIndex });
  state.startIndex = (state.startIndex + found.evaluated) % Math.max(cycle.nodes.length, 1);
  if (found.feasible.length === 0) {
    const message = printFitError(pod, cycle.nodes, found);
    const rejected = requeue(state, queued, rejectorsOf(found));
    yield* pause(options.drawDuration());
    if (rejected) yield* reportFailure(state, rejected, 'Unschedulable', message);
    return;
  }
  const best = found.feasible.length === 1 ? found.feasible : bestNodes(scoreNodes(cycle, found.feasible));
  const node = (best.length === 1 ? best[0] : options.choose(best))?.name as string;
  cluster.setPod({ ...pod, spec: { ...pod.spec, nodeName: node } });
  const key = metaNamespaceKey(pod.metadata);
  state.bindings.set(key, { queued, node });
  yield* pause(options.drawDuration());
  workQueue.add(key);
}

function* pause(milliseconds: number): Steps {
  if (milliseconds > 0) yield { do: 'wait', milliseconds };
}

/** How many feasible nodes are scored: all of up to 100, a part of more: numFeasibleNodesToFind. */
function feasibleNodesToFind(nodeCount: number): number {
  const percentage = Math.max(5, 50 - Math.trunc(nodeCount / 125));
  return nodeCount < 100 ? nodeCount : Math.max(100, Math.trunc((nodeCount * percentage) / 100));
}

/** Nodes that are excluded before the filters are excluded by their names, that is, by NodeAffinity. */
const rejectorsOf = ({ rejections }: FeasibleNodes): ReadonlySet<string> =>
  new Set([...rejections.values()].map(({ plugin }) => plugin || 'NodeAffinity'));

/**
 * Queues a pod again after a failed attempt. The events of the time that the attempt takes can help it already.
 * @returns its newest object; undefined if another pod has its name
 */
function requeue({ queue, context }: State, queued: QueuedPod, rejectors: ReadonlySet<string>): Pod | undefined {
  const { metadata } = queued.info.pod;
  const cached = context.cache.get<Pod>('Pod', metadata.namespace ?? '', metadata.name ?? '');
  if (cached && !cached.spec?.nodeName) {
    if (cached.metadata.uid !== metadata.uid) return undefined;
    queue.addUnschedulable(queued, cached, rejectors);
  }
  return queued.info.pod;
}

/** Reports why an attempt failed, by an Event and the condition PodScheduled: handleSchedulingFailure. */
function* reportFailure({ context }: State, pod: Pod, reason: string, message: string): Steps {
  yield* emit(pod, 'Warning', 'FailedScheduling', message);
  const condition = { type: 'PodScheduled', status: 'False', reason, message };
  const patch = patchPodCondition(pod as never, condition, context.now());
  if (!patch) return;
  const { namespace = '', name = '' } = pod.metadata;
  const { metadata: _, ...body } = patch as { readonly metadata: unknown };
  // A failure is only logged: the next attempt writes the condition.
  const target = { kind: 'Pod', namespace, name };
  const write = function* (): Steps {
    yield { do: 'patch', ...target, patch: body, type: 'strategic', subresource: 'status' };
  };
  yield* catchFailure(retryOn(defaultBackoff, isRetriable, write));
}

const isRetriable = (error: unknown): boolean => isCausedBy(error, 'Conflict', 'InternalError', 'ServiceUnavailable');

/** Binds a placed pod to its node, or queues it again. */
function* bind(state: State, key: string, workQueue: Queue): Steps {
  const binding = state.bindings.get(key);
  if (!binding) return;
  const { queued, node } = binding;
  const { pod } = queued.info;
  const { namespace = '', name = '', uid = '' } = pod.metadata;
  const end = (): void => {
    // A later pod with the same name may be placed meanwhile.
    if (state.bindings.get(key) === binding) state.bindings.delete(key);
  };
  try {
    yield { do: 'bind', kind: 'Pod', namespace, name, uid, node };
    end();
    yield* emit(pod, 'Normal', 'Scheduled', `Successfully assigned ${key} to ${node}`);
  } catch (error) {
    if (!isFailure(error)) throw error;
    end();
    state.cluster.removePod(uid);
    retry(state, () => toPodEvent({ ...pod, spec: { ...pod.spec, nodeName: node } }, undefined));
    workQueue.add(scheduleKey);
    const rejected = requeue(state, queued, new Set());
    if (rejected) yield* reportFailure(state, rejected, 'SchedulerError', `running Bind plugin "DefaultBinder": ${messageOf(error)}`);
  }
}
