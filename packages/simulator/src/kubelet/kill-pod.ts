import { isSidecar } from 'kube-endpoints/internal';
import { type KilledContainer, killContainer, type StopBehaviour } from './kill-container.ts';
import { containersOf, initContainersOf, type KubeletPod } from './pod.ts';
import type { RuntimeContainer, RuntimeStatus } from './runtime-status.ts';

export interface KillPodOptions {
  readonly pod: KubeletPod;
  /** When the kill starts, in milliseconds since the epoch. */
  readonly at: number;
  /** Replaces the grace period of each container, in seconds: the pod worker's, if the pod is terminating. */
  readonly gracePeriodOverride?: number;
  behaviourOf(container: RuntimeContainer): StopBehaviour;
}

export interface KilledPod {
  /** The containers that were running. */
  readonly containers: readonly KilledContainer[];
  /** When the sandboxes are stopped: all containers have ended, or could not be stopped. */
  readonly sandboxesAt: number;
  /** Whether a container could not be stopped. The kubelet tries again. */
  readonly failed: boolean;
}

/**
 * Kills the running containers of a pod at the same time. Sidecars wait until the regular containers and the next sidecar have ended, as long as
 * their grace period lasts. Then all sandboxes are stopped. Mirrors `killPodWithSyncResult`, `killContainersWithSyncResult` and
 * `terminationOrdering` (1.36, pkg/kubelet/kuberuntime).
 */
export function killPod(status: RuntimeStatus, { pod, at, gracePeriodOverride, behaviourOf }: KillPodOptions): KilledPod {
  const running = status.containers.filter(({ state }) => state === 'running');
  const killed = new Map<RuntimeContainer, KilledContainer | undefined>();
  const ends = new Map<string, number>();
  const kill = (container: RuntimeContainer, turn: number): void => {
    const { id, name } = container;
    const override = gracePeriodOverride === undefined ? {} : { gracePeriodOverride };
    const result = killContainer({ pod, id, name, at, reason: 'Unknown', ...override, behaviour: behaviourOf(container), turn });
    killed.set(container, result);
    ends.set(name, result?.endedAt ?? Number.POSITIVE_INFINITY);
  };
  const lastEnd = (names: readonly (string | undefined)[]): number => Math.max(at, ...names.map((name) => ends.get(name ?? '') ?? at));
  const namesOf = (containers: readonly { readonly name?: string | null | undefined }[]): string[] =>
    containers.map(({ name }) => name ?? '');
  const sidecars = namesOf(initContainersOf(pod).filter(isSidecar)).reverse();
  for (const container of running) if (!sidecars.includes(container.name)) kill(container, at);
  const mainEnd = lastEnd(namesOf(containersOf(pod)));
  for (const [i, sidecar] of sidecars.entries()) {
    const turn = Math.max(mainEnd, lastEnd(sidecars.slice(Math.max(0, i - 1), i)));
    for (const container of running) if (container.name === sidecar) kill(container, turn);
  }
  const containers = running.flatMap((container) => killed.get(container) ?? []);
  return {
    containers,
    sandboxesAt: Math.max(at, ...containers.map(({ stop, endedAt }) => endedAt ?? stop.at)),
    failed: running.some((container) => killed.get(container)?.endedAt === undefined),
  };
}
