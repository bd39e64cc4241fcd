import type { Cache, Steps } from '../../controller/controller.ts';
import { perform } from '../../controller/effects.ts';
import { formatTime, parseTime } from '../time.ts';
import { findCondition, type Lease, leaseNamespace, type Node, type NodeCondition, type NodeStatus, nameOf } from './objects.ts';
import type { NodeLifecycleOptions } from './options.ts';

/** What was last seen of a node. */
export interface NodeHealth {
  readonly status: NodeStatus | undefined;
  /** When a sign of life was last seen, in milliseconds since the epoch. */
  readonly probedAt: number;
  readonly lease?: Lease | undefined;
}

export interface HealthResult {
  /** The node with the conditions that it has now. */
  readonly node: Node;
  /** The status of the condition Ready before the check. */
  readonly observed: string;
  /** Undefined if the node has no condition Ready. */
  readonly current: string | undefined;
}

export interface HealthContext {
  readonly cache: Cache;
  readonly options: NodeLifecycleOptions;
  readonly health: Map<string, NodeHealth>;
  now(): number;
}

/**
 * Looks for a sign of life of a node, and sets its conditions to Unknown after the grace period: tryUpdateNodeHealth (1.36,
 * pkg/controller/nodelifecycle/node_lifecycle_controller.go).
 * @throws ApiError if the write fails
 */
export function* updateHealth(context: HealthContext, node: Node): Steps<HealthResult> {
  const { options, health: known, now } = context;
  const name = nameOf(node);
  const ready = findCondition(node.status, 'Ready');
  const observed = ready?.status ?? 'Unknown';
  const { health, lease } = observe(context, node, ready);
  const gracePeriod = ready ? options.monitorGracePeriod : options.startupGracePeriod;
  if (now() <= health.probedAt + gracePeriod) {
    known.set(name, health);
    return { node, observed, current: ready?.status };
  }
  const lost: Node = { ...node, status: { ...node.status, conditions: setUnknown(node, now()) } };
  // As upstream, the health of a node without a condition Ready shares the changed conditions.
  const seen = ready ? health : { ...health, status: lost.status };
  if (ready?.status === 'Unknown') {
    known.set(name, seen);
    return { node: lost, observed, current: 'Unknown' };
  }
  try {
    yield* perform({ do: 'update', kind: 'Node', subresource: 'status', object: lost });
  } catch (error) {
    known.set(name, seen);
    throw error;
  }
  known.set(name, { status: lost.status, probedAt: health.probedAt, lease });
  return { node: lost, observed, current: 'Unknown' };
}

interface Observation {
  readonly health: NodeHealth;
  readonly lease: Lease | undefined;
}

/** The health of a node after its newest status and Lease were read. */
function observe({ cache, health: known, now }: HealthContext, node: Node, ready: NodeCondition | undefined): Observation {
  const { status, metadata } = node;
  const saved = known.get(nameOf(node));
  const lease = cache.get<Lease>('Lease', leaseNamespace, nameOf(node));
  const next = ((): NodeHealth => {
    if (!ready) return saved ? { ...saved, status } : { status, probedAt: parseTime(metadata.creationTimestamp) ?? zeroTime };
    const savedReady = findCondition(saved?.status, 'Ready');
    const isKnown = saved && savedReady && (savedReady.lastHeartbeatTime ?? '') === (ready.lastHeartbeatTime ?? '');
    return isKnown ? saved : { status, probedAt: now() };
  })();
  if (!lease || (saved?.lease && !isRenewed(saved.lease, lease))) return { health: next, lease };
  return { health: { ...next, probedAt: now(), lease }, lease };
}

/** Go's zero time. */
const zeroTime = Date.parse('0001-01-01T00:00:00Z');

function isRenewed(before: Lease, after: Lease): boolean {
  const [from, to] = [parseTime(before.spec?.renewTime), parseTime(after.spec?.renewTime)];
  return from !== undefined && to !== undefined && from < to;
}

/** NetworkUnavailable is not among them: the kubelet does not report it. */
const conditionTypes: readonly string[] = ['Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure'];

function setUnknown({ status, metadata: { creationTimestamp } }: Node, now: number): readonly NodeCondition[] {
  const time = { lastTransitionTime: formatTime(now) };
  const unknown = { status: 'Unknown', reason: 'NodeStatusUnknown', message: 'Kubelet stopped posting node status.', ...time };
  const conditions = status?.conditions ?? [];
  const missing = conditionTypes.filter((type) => !conditions.some((condition) => condition.type === type));
  return [
    ...conditions.map((each) => (conditionTypes.includes(each.type) && each.status !== 'Unknown' ? { ...each, ...unknown } : each)),
    ...missing.map((type) => ({
      ...{ type, status: 'Unknown', reason: 'NodeStatusNeverUpdated', message: 'Kubelet never posted node status.', ...time },
      ...(creationTimestamp && { lastHeartbeatTime: creationTimestamp }),
    })),
  ];
}
