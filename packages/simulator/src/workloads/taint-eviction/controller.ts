import { semanticEqual } from 'kube-endpoints/internal/apimachinery';
import type { Cache, Change, Controller, ControllerContext, Queue, Steps } from '../../controller/controller.ts';
import type { Taint, Toleration } from '../../nodes/taints.ts';
import type { Pod } from '../types.ts';
import { deletePod, emitEviction } from './delete-pod.ts';
import { evictionDelay } from './eviction-delay.ts';
import { createTimedWork, type TimedWork } from './timed-work.ts';

interface Node extends NonNullable<Change['current']> {
  readonly spec?: { readonly taints?: readonly Taint[] };
}

/**
 * The taint eviction controller, which deletes pods that do not tolerate a NoExecute taint of their node: 1.36,
 * pkg/controller/tainteviction/taint_eviction.go. Its keys are nodes, pods with their nodes, and deletions that are due.
 */
export function createTaintEvictionController(context: ControllerContext): Controller {
  const { cache } = context;
  const state: State = { context, taintedNodes: new Map(), work: createTimedWork() };
  return {
    name: 'taint-eviction-controller',
    kinds: ['Node', 'Pod'],
    concurrentSyncs: Infinity,
    handle(change, queue) {
      const { metadata } = (change.current ?? change.previous) as Pod;
      if (change.kind === 'Node' && isNodeChanged(change)) queue.add(`node/${metadata.name}`);
      if (change.kind === 'Pod' && isPodChanged(change)) queue.add(`pod/${metadata.namespace}/${metadata.name}/${nodeNameOf(change)}`);
    },
    *sync(key, queue) {
      const [kind, ...names] = key.split('/') as [string, string, string, string];
      if (kind === 'node') yield* handleNode(state, names[0], queue);
      else if (kind === 'pod') yield* handlePod(state, cache.get<Pod>('Pod', names[0], names[1]), names, queue);
      else yield* state.work.run(key, (podKey) => deletePod(podKey, context.now));
    },
  };
}

interface State {
  readonly context: ControllerContext;
  /** The NoExecute taints of nodes that have any. */
  readonly taintedNodes: Map<string, readonly Taint[]>;
  readonly work: TimedWork;
}

const noExecuteTaintsOf = (node: Node | undefined): readonly Taint[] =>
  (node?.spec?.taints ?? []).filter(({ effect }) => effect === 'NoExecute');

const isNodeChanged = ({ previous, current }: Change): boolean =>
  !previous || !current || !semanticEqual(noExecuteTaintsOf(previous as Node), noExecuteTaintsOf(current as Node));

const tolerationsOf = (pod: Pod | undefined): readonly Toleration[] => (pod?.spec?.['tolerations'] ?? []) as readonly Toleration[];

function isPodChanged({ previous, current }: Change): boolean {
  const [before, after] = [previous as Pod | undefined, current as Pod | undefined];
  return !before || !after || before.spec?.nodeName !== after.spec?.nodeName || !semanticEqual(tolerationsOf(before), tolerationsOf(after));
}

const nodeNameOf = ({ previous, current }: Change): string => ((current ?? previous) as Pod).spec?.nodeName ?? '';

function* handleNode({ context, taintedNodes, work }: State, name: string, queue: Queue): Steps {
  const node = context.cache.get<Node>('Node', '', name);
  const taints = noExecuteTaintsOf(node);
  if (taints.length > 0) taintedNodes.set(name, taints);
  else taintedNodes.delete(name);
  if (!node) return;
  for (const pod of podsOnNode(context.cache, name)) {
    if (taints.length > 0) yield* evictPod(work, pod, taints, context.now(), queue);
    else yield* cancelEviction(work, podKeyOf(pod));
  }
}

const podsOnNode = (cache: Cache, name: string): readonly Pod[] => cache.list<Pod>('Pod').filter(({ spec }) => spec?.nodeName === name);

function* handlePod(
  { context, taintedNodes, work }: State,
  pod: Pod | undefined,
  [namespace, name, nodeName]: readonly string[],
  queue: Queue,
): Steps {
  if (!pod) {
    yield* cancelEviction(work, `${namespace}/${name}`);
    return;
  }
  // A change of the node has a key of its own.
  if ((pod.spec?.nodeName ?? '') !== nodeName || !nodeName) return;
  const taints = taintedNodes.get(nodeName);
  if (taints) yield* evictPod(work, pod, taints, context.now(), queue);
}

const podKeyOf = ({ metadata }: Pod): string => `${metadata.namespace}/${metadata.name}`;

function* cancelEviction(work: TimedWork, podKey: string): Steps {
  if (work.cancel(podKey)) yield* emitEviction(podKey, `Cancelling deletion of Pod ${podKey}`);
}

/** Plans or cancels the deletion of a pod on a node with taints: processPodOnNode. */
function* evictPod(work: TimedWork, pod: Pod, taints: readonly Taint[], now: number, queue: Queue): Steps {
  const podKey = podKeyOf(pod);
  const delay = evictionDelay(taints, tolerationsOf(pod));
  if (delay === 'now') {
    yield* cancelEviction(work, podKey);
    work.add(podKey, now, now, queue);
    return;
  }
  if (delay === 'never') {
    yield* cancelEviction(work, podKey);
    return;
  }
  const planned = work.find(podKey);
  // An earlier deletion stays, also if the pod tolerates its taints for a shorter time now.
  if (planned && planned.createdAt < now) return;
  if (planned) yield* cancelEviction(work, podKey);
  work.add(podKey, planned?.createdAt ?? now, now + delay, queue);
}
