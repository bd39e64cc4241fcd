import { ApiError, type ApiObject } from 'kube-endpoints/port';
import type { NodeClock } from '../../engine/node-clock.ts';
import { leaseNamespace, type Node, type NodeCondition } from '../../workloads/node-lifecycle/objects.ts';
import { formatTime } from '../../workloads/time.ts';
import type { Server } from '../store/server.ts';

export interface HeartbeatOptions {
  readonly clock: NodeClock;
  readonly actor: string;
  readonly server: Server;
  /** The name of the node. */
  readonly name: string;
}

/** The signs of life of a kubelet. */
export interface Heartbeat {
  /** The Lease of the node, as it was renewed last. */
  lease(): ApiObject;
  /** Reports the node as not ready from now on. */
  reportShutdown(): void;
}

/**
 * Creates the signs of life of a kubelet. It renews its Lease every 10 s; to save time, renewals are computed when they are read, so that they are no
 * entries of the timeline. The status of the node is written if it is out of date after the node was restored.
 */
export function createHeartbeat({ clock, actor, server, name }: HeartbeatOptions): Heartbeat {
  let renewedAt = clock.now();
  let nextRenewal = clock.now() + clock.draw({ name: 'leaseRenewal', actor });
  let isShuttingDown = false;
  const renew = (until: number): void => {
    for (; nextRenewal <= until; nextRenewal += renewalPeriod) renewedAt = nextRenewal;
  };
  const report = (): void =>
    void clock.after({ name: 'request', actor }, () => writeConditions(server, actor, name, isShuttingDown, clock.now()));
  clock.onChange(() => {
    if (clock.isLost) {
      renew(clock.now());
      return;
    }
    const delay = clock.draw({ name: 'leaseRenewal', actor });
    nextRenewal = clock.now() + delay;
    clock.at(nextRenewal, report);
  });
  return {
    lease() {
      if (!clock.isLost) renew(clock.now());
      const spec = { renewTime: new Date(renewedAt).toISOString() };
      return { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name, namespace: leaseNamespace }, spec } as ApiObject;
    },
    reportShutdown() {
      isShuttingDown = true;
      report();
    },
  };
}

/** The renewInterval of the kubelet in milliseconds. */
const renewalPeriod = 10_000;

/** Sets the conditions of a node unless it has them. Mirrors tryUpdateNodeStatus (1.36, pkg/kubelet/kubelet_node_status.go). */
function writeConditions(server: Server, actor: string, name: string, isShuttingDown: boolean, now: number): void {
  try {
    const node = server.answer(actor, { do: 'get', kind: 'Node', namespace: '', name }) as Node;
    const { conditions = [] } = node.status ?? {};
    const ready = isShuttingDown ? shutdownCondition : readyCondition;
    const wanted = conditions.map((condition) => updateCondition(condition, ready, now));
    if (wanted.every((condition, i) => condition === conditions[i])) return;
    server.answer(actor, {
      do: 'update',
      kind: 'Node',
      subresource: 'status',
      object: { ...node, status: { ...node.status, conditions: wanted } },
    });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
}

function updateCondition(condition: NodeCondition, ready: Omit<NodeCondition, 'type'>, now: number): NodeCondition {
  const wanted = condition.type === 'Ready' ? ready : healthyConditions[condition.type];
  if (!wanted || wanted.status === condition.status) return condition;
  return { ...condition, ...wanted, lastHeartbeatTime: formatTime(now), lastTransitionTime: formatTime(now) };
}

const readyCondition = { status: 'True', reason: 'KubeletReady', message: 'kubelet is posting ready status' };
const shutdownCondition = { status: 'False', reason: 'KubeletNotReady', message: 'node is shutting down' };

/** Conditions without pressure on the node. */
const healthyConditions: Readonly<Record<string, Omit<NodeCondition, 'type'>>> = {
  MemoryPressure: { status: 'False', reason: 'KubeletHasSufficientMemory', message: 'kubelet has sufficient memory available' },
  DiskPressure: { status: 'False', reason: 'KubeletHasNoDiskPressure', message: 'kubelet has no disk pressure' },
  PIDPressure: { status: 'False', reason: 'KubeletHasSufficientPID', message: 'kubelet has sufficient PID available' },
};
