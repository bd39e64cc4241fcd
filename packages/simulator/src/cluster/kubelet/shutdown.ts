import { ApiError, type ApiObject } from 'kube-endpoints/port';
import type { NodeClock } from '../../engine/node-clock.ts';
import { endOfShutdownGroup, groupPodsForShutdown, type KubeletPod, type ShutdownConfig, type ShutdownGroup } from '../../kubelet/index.ts';
import type { Server } from '../store/server.ts';
import type { NodeContext, PodHost } from './context.ts';
import { updatePod } from './pod-loop.ts';

/**
 * Ends the pods of a node that shuts down, one group after another, and calls back when the node is off. Mirrors `killPods` (1.36,
 * pkg/kubelet/nodeshutdown/nodeshutdown_manager.go).
 */
export function runShutdown(clock: NodeClock, hosts: readonly PodHost[], config: ShutdownConfig, onEnd: () => void): void {
  const groups = groupPodsForShutdown(
    config,
    hosts.filter(({ worker }) => !worker.state.terminated).map(({ pod }) => pod),
  );
  const next = ([group, ...others]: readonly ShutdownGroup[]): void => {
    if (group) killGroup(clock, hosts, group, () => next(others));
    else clock.at(clock.now() + (groups.length > 0 ? powerOffDelay : 0), onEnd);
  };
  next(groups);
}

/** From the end of the pods until the node is off, in milliseconds: the kubelet still writes statuses. */
const powerOffDelay = 1000;

/** How often the end of a group is checked, in milliseconds. */
const pollPeriod = 100;

function killGroup(clock: NodeClock, hosts: readonly PodHost[], group: ShutdownGroup, onEnd: () => void): void {
  const killed = group.pods.flatMap(({ pod, gracePeriodSeconds }) => {
    const host = hosts.find(({ uid }) => uid === pod.metadata?.uid);
    return host ? [{ host, gracePeriodSeconds }] : [];
  });
  for (const { host, gracePeriodSeconds } of killed) {
    host.isShutDown = true;
    updatePod(host, { type: 'kill', kill: { gracePeriodSeconds } });
  }
  const startedAt = clock.now();
  const wait = (): void => {
    const hasEnded = killed.every(({ host }) => host.worker.state.terminated);
    const end = endOfShutdownGroup(group, startedAt, hasEnded ? clock.now() : Number.POSITIVE_INFINITY);
    if (end <= clock.now()) onEnd();
    else clock.at(Math.min(end, clock.now() + pollPeriod), wait);
  };
  wait();
}

/** Refuses a pod that arrives while the node shuts down. Mirrors `Admit` and `rejectPod` (1.36, pkg/kubelet). */
export function rejectPod({ clock, actor }: NodeContext, server: Server, pod: KubeletPod): void {
  const status = { ...pod.status, phase: 'Failed', reason: 'NodeShutdown', message: 'Pod was rejected as the node is shutting down.' };
  clock.after({ name: 'request', actor }, () => {
    try {
      server.answer(actor, { do: 'update', kind: 'Pod', subresource: 'status', object: { ...pod, status } as ApiObject });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    }
  });
}
