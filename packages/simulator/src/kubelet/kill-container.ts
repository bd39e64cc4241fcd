import type { KillReason } from './actions.ts';
import { minGracePeriodSeconds, terminationGracePeriod } from './grace-period.ts';
import { containersOf, ephemeralContainersOf, initContainersOf, type KubeletContainer, type KubeletPod } from './pod.ts';

/** How a container behaves when it is stopped. Durations are in milliseconds. */
export interface StopBehaviour {
  /** How long its preStop hook runs; 0 by default. A sleep lasts as long as the pod says. */
  readonly hook?: number;
  readonly hookFails?: boolean;
  /** How long it runs after SIGTERM. By default until SIGKILL at the end of its grace period. */
  readonly exitsAfter?: number;
  /** Whether the runtime reports an error instead of stopping it. */
  readonly stopFails?: boolean;
}

export interface KillContainerOptions {
  readonly pod: KubeletPod;
  readonly id: string;
  readonly name: string;
  /** When the kill starts, in milliseconds since the epoch. */
  readonly at: number;
  /** The message of the Event "Killing"; "Stopping container ..." by default. */
  readonly message?: string;
  readonly reason: KillReason;
  /** Replaces the grace period in seconds. */
  readonly gracePeriodOverride?: number;
  readonly behaviour: StopBehaviour;
  /** When all containers that this one waits for have ended; infinite if one does not end. */
  readonly turn?: number;
}

/** Times are in milliseconds since the epoch. */
export interface KilledContainer {
  readonly id: string;
  readonly name: string;
  readonly message: string;
  /** The preStop hook. The kubelet waits for its end, but not longer than the grace period. */
  readonly hook?: { readonly from: number; readonly until: number; readonly fails: boolean };
  /** When the runtime sends SIGTERM, and for how many seconds it waits before SIGKILL. */
  readonly stop: { readonly at: number; readonly gracePeriod: number };
  /** When the container has ended; absent if the runtime could not stop it. */
  readonly endedAt?: number;
}

/**
 * Kills a container: runs its preStop hook, waits for its turn, and stops it. The first two use up its grace period in whole seconds. Mirrors
 * `killContainer` (1.36, pkg/kubelet/kuberuntime/kuberuntime_container.go).
 * @returns undefined if the pod's spec does not have the container: the kubelet cannot kill it
 */
export function killContainer(options: KillContainerOptions): KilledContainer | undefined {
  const { pod, id, name, at, reason, gracePeriodOverride, behaviour, turn = at } = options;
  const container = [...initContainersOf(pod), ...containersOf(pod), ...ephemeralContainersOf(pod)].find((each) => each.name === name);
  if (!container) return undefined;
  let gracePeriod = gracePeriodOverride ?? terminationGracePeriod(pod, container, reason);
  let now = at;
  const waitUntil = (time: number): void => {
    const waited = Math.max(0, Math.min(time - now, gracePeriod * 1000));
    now += waited;
    gracePeriod -= Math.floor(waited / 1000);
  };
  const hook = gracePeriod > 0 ? runPreStopHook(container, at, behaviour) : undefined;
  if (hook) waitUntil(hook.until);
  waitUntil(turn);
  const stop = { at: now, gracePeriod: Math.max(gracePeriod, minGracePeriodSeconds) };
  const lasts = Math.min(behaviour.exitsAfter ?? Number.POSITIVE_INFINITY, stop.gracePeriod * 1000);
  return {
    id,
    name,
    message: options.message || `Stopping container ${name}`,
    ...(hook && { hook }),
    stop,
    ...(!behaviour.stopFails && { endedAt: now + lasts }),
  };
}

/** Returns the run of a container's preStop hook; undefined if it has none. A hook without an action fails at once. */
function runPreStopHook(
  { lifecycle }: KubeletContainer,
  from: number,
  { hook = 0, hookFails = false }: StopBehaviour,
): KilledContainer['hook'] {
  const preStop = lifecycle?.preStop;
  if (!preStop) return undefined;
  if (preStop.exec || preStop.httpGet) return { from, until: from + hook, fails: hookFails };
  if (preStop.sleep) return { from, until: from + (preStop.sleep.seconds ?? 0) * 1000, fails: false };
  return { from, until: from, fails: true };
}
