import { isQuantity, parseQuantity } from 'kube-endpoints/internal/apimachinery';
import { type BackOff, createBackOff } from '../go/back-off.ts';
import { printDuration } from '../go/duration.ts';
import type { KubeletContainer, KubeletPod, Resources } from './pod.ts';
import type { RuntimeStatus } from './runtime-status.ts';

export interface RestartBackOffOptions {
  /** crashLoopBackOff.maxContainerRestartPeriod of the kubelet's configuration in milliseconds; by default 5 minutes. */
  readonly maxRestartPeriod?: number;
  now(): number;
}

/**
 * The back-off between restarts of a container: from 10 seconds to the maximum. It starts again if the container ran for 10 minutes after its
 * last start. The kubelet collects expired entries when it cleans up pods, about every 2 seconds. Mirrors `newCrashLoopBackOff` (1.36,
 * pkg/kubelet/kubelet.go).
 */
export const createRestartBackOff = ({ maxRestartPeriod = 300_000, now }: RestartBackOffOptions): BackOff =>
  createBackOff({ initial: Math.min(10_000, maxRestartPeriod), max: maxRestartPeriod, expiry: 600_000, now });

/** Why a container is not started yet. */
export interface RestartDelay {
  /** The message of the waiting state CrashLoopBackOff. */
  readonly message: string;
  /** When the container may start, in milliseconds since the epoch. */
  readonly until: number;
}

/**
 * Decides whether a container that has ended may start again, and if so, doubles its delay. The delay counts from the end of the newest run.
 * Mirrors `doBackOff` (1.36, pkg/kubelet/kuberuntime/kuberuntime_manager.go).
 * @returns the delay; undefined if the container may start
 */
export function checkRestartBackOff(
  pod: KubeletPod,
  container: KubeletContainer,
  status: RuntimeStatus,
  backOff: BackOff,
): RestartDelay | undefined {
  const ended = status.containers.find(({ name, state }) => name === (container.name ?? '') && state === 'exited');
  if (!ended) return undefined;
  const key = restartBackOffKey(pod, container);
  const finishedAt = Date.parse(ended.finishedAt ?? '0001-01-01T00:00:00Z');
  if (!backOff.isInBackOffSince(key, finishedAt)) {
    backOff.next(key, finishedAt);
    return undefined;
  }
  const delay = backOff.get(key);
  const message = `back-off ${printDuration(delay)} restarting failed container=${container.name} pod=${formatPod(pod)}`;
  return { message, until: finishedAt + delay };
}

/**
 * The key of a container's back-off: a new image or other resources start it again. Mirrors the equality of `GetBackoffKey` (1.36,
 * pkg/kubelet/kuberuntime/helpers.go), but not its text.
 */
export function restartBackOffKey({ metadata }: KubeletPod, { name, image, resources }: KubeletContainer): string {
  const { limits, requests, claims } = resources ?? {};
  const identity = [metadata?.name, metadata?.namespace, metadata?.uid, name, image].map((part) => part ?? '');
  return JSON.stringify([...identity, printQuantities(limits), printQuantities(requests), claims ?? []]);
}

const printQuantities = (quantities: Resources['limits']): unknown =>
  Object.entries(quantities ?? {})
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, text]) => {
      const quantity = parseQuantity(text);
      return [name, isQuantity(quantity) ? quantity.text : text];
    });

/** Mirrors `format.Pod`. */
export const formatPod = ({ metadata }: KubeletPod): string =>
  `${metadata?.name ?? ''}_${metadata?.namespace ?? ''}(${metadata?.uid ?? ''})`;
