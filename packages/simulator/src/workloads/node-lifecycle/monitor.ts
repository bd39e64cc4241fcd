import type { ApiObject } from 'kube-endpoints/port';
import type { ControllerContext, Steps } from '../../controller/controller.ts';
import { emit, inParallel, perform } from '../../controller/effects.ts';
import { catchFailure } from '../errors.ts';
import type { Pod } from '../types.ts';
import { type HealthContext, type HealthResult, updateHealth } from './health.ts';
import { listPodsOnNode, markPodsNotReady } from './mark-pods.ts';
import { type Node, nameOf, zoneOf } from './objects.ts';
import { hasTaint, notReady, removeTaints, swapTaints, unreachable } from './swap-taints.ts';
import type { Zones } from './zones.ts';

export interface MonitorState extends HealthContext {
  readonly context: ControllerContext;
  readonly zones: Zones;
  readonly knownNodes: Map<string, Node>;
  /** Nodes whose pods could not be marked. */
  readonly nodesToRetry: Set<string>;
  /** A queue of nodes that wait for a taint may have changed. */
  onTaintQueue(): void;
}

/** Checks all nodes once: monitorNodeHealth (1.36, pkg/controller/nodelifecycle/node_lifecycle_controller.go). */
export function* monitorNodes(state: MonitorState): Steps {
  const nodes = state.cache.list<Node>('Node');
  yield* registerNodes(state, nodes);
  const readiness = new Map<string, boolean[]>();
  const waiting = [...nodes];
  function* work(): Steps {
    for (let node = waiting.shift(); node; node = waiting.shift()) yield* checkNode(state, node, readiness);
  }
  yield* inParallel(Array.from({ length: Math.min(workers, nodes.length) }, work));
  yield* handleDisruption(state, readiness, nodes);
  state.onTaintQueue();
}

/** nodeUpdateWorkerSize */
const workers = 8;

/** Compares the nodes with those that are known: classifyNodes. */
function* registerNodes(state: MonitorState, nodes: readonly Node[]): Steps {
  const { knownNodes, zones } = state;
  const added = nodes.filter((node) => !knownNodes.has(nameOf(node)));
  const deleted = [...knownNodes].filter(([name]) => !nodes.some((node) => nameOf(node) === name));
  for (const node of nodes) if (knownNodes.has(nameOf(node))) zones.add(zoneOf(node));
  for (const node of added) {
    yield* emitNodeEvent(node, 'RegisteredNode', `event: Registered Node ${nameOf(node)} in Controller`);
    knownNodes.set(nameOf(node), node);
    zones.add(zoneOf(node));
    yield* markReachable(state, node);
  }
  for (const [name, node] of deleted) {
    yield* emitNodeEvent(node, 'RemovingNode', `event: Removing Node ${name} from Controller`);
    knownNodes.delete(name);
  }
}

const emitNodeEvent = (node: Node, reason: string, text: string): Steps =>
  emit({ kind: 'Node', metadata: { name: nameOf(node) } } as ApiObject, 'Normal', reason, `Node ${nameOf(node)} ${text}`);

/** Removes both NoExecute taints from a node. Failures are ignored: they are tried again with the next check. */
function* markReachable({ zones }: MonitorState, node: Node): Steps {
  const error = yield* catchFailure(removeTaints(node, [unreachable]));
  if (error ?? (yield* catchFailure(removeTaints(node, [notReady])))) return;
  zones.queueOf(zoneOf(node)).remove(nameOf(node));
}

const exclusionLabel = 'node.kubernetes.io/exclude-disruption';

function* checkNode(state: MonitorState, cached: Node, readiness: Map<string, boolean[]>): Steps {
  const result = yield* tryUpdateHealth(state, cached);
  if (!result) return;
  const { node, observed, current } = result;
  if (node.metadata.labels?.[exclusionLabel] === undefined) {
    const zone = readiness.get(zoneOf(node)) ?? [];
    readiness.set(zoneOf(node), zone);
    zone.push(current === 'True');
  }
  const { cache, nodesToRetry } = state;
  const name = nameOf(node);
  if (current !== undefined) {
    const isLost = current !== 'True' && observed === 'True';
    const pods = isLost || nodesToRetry.has(name) ? listPodsOnNode(cache, name) : [];
    yield* processTaints(state, node, current);
    if (!(yield* markPods(state, result, pods))) {
      nodesToRetry.add(name);
      return;
    }
  }
  nodesToRetry.delete(name);
}

/** The attempts and their period in milliseconds: NodeHealthUpdateRetry and retrySleepTime. */
const attempts = 6;
const retryPeriod = 20;

/** Updates the health of a node, and reads the node again after a failure. Undefined if all attempts fail, or the node is gone. */
function* tryUpdateHealth(state: MonitorState, cached: Node): Steps<HealthResult | undefined> {
  let node = cached;
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const results: HealthResult[] = [];
    const read: Node[] = [];
    const update = function* (): Steps {
      results.push(yield* updateHealth(state, node));
    };
    if (!(yield* catchFailure(update()))) return results[0];
    const get = function* (): Steps {
      read.push(yield* perform<Node>({ do: 'get', kind: 'Node', namespace: '', name: nameOf(node) }));
    };
    if (yield* catchFailure(get())) return undefined;
    node = read[0] as Node;
    if (attempt < attempts) yield { do: 'wait', milliseconds: retryPeriod };
  }
  return undefined;
}

/** Marks the pods of a node that is not ready any more. Returns whether all writes succeeded. */
function* markPods(state: MonitorState, { node, observed, current }: HealthResult, pods: readonly Pod[]): Steps<boolean> {
  const isLost = current !== 'True' && observed === 'True';
  if (isLost) yield* emitNodeEvent(node, 'NodeNotReady', 'status is now: NodeNotReady');
  const isRetried = state.nodesToRetry.has(nameOf(node)) && observed !== 'True';
  return isLost || isRetried ? yield* markPodsNotReady(pods, state.now) : true;
}

/** Enqueues a node for its NoExecute taint, exchanges one taint for the other, or removes both: processTaintBaseEviction. */
function* processTaints(state: MonitorState, node: Node, ready: string): Steps {
  if (ready === 'True') {
    yield* markReachable(state, node);
    return;
  }
  const [wanted, opposite] = ready === 'False' ? [notReady, unreachable] : [unreachable, notReady];
  if (ready !== 'False' && ready !== 'Unknown') return;
  if (hasTaint(node, opposite)) {
    yield* swapTaints(node, [wanted], [opposite], state.now());
    return;
  }
  const queue = state.zones.queueOf(zoneOf(node));
  if (!hasTaint(node, wanted)) queue.remove(nameOf(node));
  queue.add(nameOf(node), state.now());
  state.onTaintQueue();
}

/** Updates the states of zones. Without any ready node, all taints are removed; afterwards, all nodes get a new grace period. */
function* handleDisruption(state: MonitorState, readiness: ReadonlyMap<string, readonly boolean[]>, nodes: readonly Node[]): Steps {
  const { zones, health, now } = state;
  const { change, apply } = zones.plan(readiness);
  if (change === 'entered') for (const node of nodes) yield* markReachable(state, node);
  for (const node of change === 'left' ? nodes : []) {
    const known = health.get(nameOf(node));
    if (known) health.set(nameOf(node), { ...known, probedAt: now() });
  }
  apply(now());
}
