import { metaNamespaceKey, semanticEqual } from 'kube-endpoints/internal/apimachinery';
import type { Change, Controller, ControllerContext, Queue } from '../../controller/controller.ts';
import { createBackOff } from '../../go/back-off.ts';
import { createConsistencyStore } from '../consistency.ts';
import { createExpectationCounts } from '../expectations.ts';
import { controllerOf } from '../owner-references.ts';
import type { Pod } from '../types.ts';
import type { DaemonSetState } from './context.ts';
import { handleOwned } from './events.ts';
import { createNodeFitTest } from './node-fit.ts';
import { type DaemonSet, daemonSetKind, type Node } from './objects.ts';
import { syncDaemonSet } from './sync.ts';

/**
 * Creates the controller of DaemonSets, and the one of node updates, which adds DaemonSets to the queue of the first: upstream has a queue and
 * a worker for each. A host fills the caches of both before it runs them, and delivers a change to the first one first. Mirrors
 * pkg/controller/daemon of 1.36 with its default feature gates.
 */
export function createDaemonSetControllers(context: ControllerContext): readonly [Controller, Controller] {
  const { cache, now } = context;
  const state: DaemonSetState = {
    context,
    expectations: createExpectationCounts(now),
    consistency: createConsistencyStore(cache),
    failedPods: createBackOff({ initial: 1000, max: 15 * 60_000, now }),
  };
  let daemonSetQueue: Queue | undefined;
  const daemonSets: Controller = {
    name: 'daemonset',
    kinds: ['Pod', 'ControllerRevision', 'DaemonSet'],
    attach(queue) {
      daemonSetQueue = queue;
    },
    handle(change, queue) {
      if (change.kind === daemonSetKind.kind) handleDaemonSet(state, change, queue);
      else handleOwned(state, change, queue);
    },
    sync: (key, queue) => syncDaemonSet(state, key, queue),
  };
  const enqueue = ({ metadata }: DaemonSet): void => daemonSetQueue?.add(metaNamespaceKey(metadata));
  return [daemonSets, createNodeUpdateController(context, enqueue)];
}

function handleDaemonSet({ consistency, expectations }: DaemonSetState, { previous, current }: Change, queue: Queue): void {
  const { metadata } = (current ?? previous) as DaemonSet;
  const key = metaNamespaceKey(metadata);
  if (!current || (previous && previous.metadata.uid !== current.metadata.uid)) {
    // Of a replaced DaemonSet, upstream clears the writes of the new UID: it swaps the arguments of updateDaemonset.
    consistency.clear(key, metadata.uid);
    expectations.delete(key);
  }
  queue.add(key);
}

function createNodeUpdateController({ cache }: ControllerContext, enqueue: (daemonSet: DaemonSet) => void): Controller {
  return {
    name: 'daemonset-node-updates',
    kinds: ['Node'],
    handle({ previous, current }, queue) {
      if (current && (!previous || hasNewConstraints(previous, current))) queue.add(current.metadata.name ?? '');
    },
    *sync(name) {
      const node = cache.get<Node>('Node', '', name);
      if (!node) return;
      const isOnNode = ({ spec }: Pod): boolean => spec?.nodeName === name;
      const ownerKeys = new Set(cache.list<Pod>('Pod').filter(isOnNode).map(daemonSetKeyOf));
      for (const daemonSet of cache.list<DaemonSet>(daemonSetKind.kind))
        if (isAffected(daemonSet, node, ownerKeys.has(metaNamespaceKey(daemonSet.metadata)))) enqueue(daemonSet);
    },
  };
}

/** Whether the labels or taints of a node have changed: shouldIgnoreNodeUpdate. */
const hasNewConstraints = (previous: Node, current: Node): boolean =>
  !semanticEqual(previous.metadata.labels, current.metadata.labels) || !semanticEqual(previous.spec?.taints, current.spec?.taints);

/** The key of the DaemonSet that controls a pod, whatever its UID. */
function daemonSetKeyOf(pod: Pod): string | undefined {
  const controller = controllerOf(pod);
  return controller?.kind === daemonSetKind.kind
    ? metaNamespaceKey({ namespace: pod.metadata.namespace, name: controller.name })
    : undefined;
}

/** Whether a sync of a DaemonSet may change the pods of a node or the count of misscheduled ones: syncNodeUpdate. */
function isAffected(daemonSet: DaemonSet, node: Node, hasPod: boolean): boolean {
  const { shouldRun, shouldContinueRunning } = createNodeFitTest(daemonSet)(node);
  return hasPod ? !shouldContinueRunning || (daemonSet.status?.numberMisscheduled ?? 0) > 0 : shouldRun;
}
