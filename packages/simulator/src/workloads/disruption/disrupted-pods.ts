import type { EventEffect } from '../../controller/controller.ts';
import { isPodReady } from '../pods.ts';
import type { Pod } from '../types.ts';
import type { DisruptionBudget } from './objects.ts';

/** How long an evicted pod may take until its deletion is seen. */
const deletionTimeout = 2 * 60_000;

/** The evicted pods of a budget that are not being deleted yet. */
export interface DisruptedPods {
  readonly pods: Readonly<Record<string, string>>;
  /** When the first of them is due, in milliseconds since the epoch. */
  readonly recheckTime: number | undefined;
  /** For evicted pods that were not deleted in time. */
  readonly events: readonly EventEffect[];
}

/** Drops evicted pods that are being deleted or overdue: buildDisruptedPodMap (1.36, pkg/controller/disruption/disruption.go). */
export function collectDisruptedPods({ metadata, status }: DisruptionBudget, pods: readonly Pod[], now: number): DisruptedPods {
  const kept: Record<string, string> = {};
  const events: EventEffect[] = [];
  let recheckTime: number | undefined;
  for (const pod of pods) {
    const time = status?.disruptedPods?.[pod.metadata.name ?? ''];
    if (time === undefined || pod.metadata.deletionTimestamp !== undefined) continue;
    const due = Date.parse(time) + deletionTimeout;
    if (due < now) {
      // Upstream prints the namespace twice.
      const message = `Pod was expected by PDB ${metadata.namespace}/${metadata.namespace} to be deleted but it wasn't`;
      events.push({ do: 'event', object: pod, type: 'Warning', reason: 'NotDeleted', message });
    } else {
      recheckTime = Math.min(recheckTime ?? due, due);
      kept[pod.metadata.name ?? ''] = time;
    }
  }
  return { pods: kept, recheckTime, events };
}

/** Counts ready pods that are neither being deleted nor evicted: countHealthyPods (1.36, pkg/controller/disruption/disruption.go). */
export const countHealthyPods = (pods: readonly Pod[], disrupted: DisruptedPods['pods'], now: number): number =>
  pods.filter((pod) => {
    const evictedAt = Date.parse(disrupted[pod.metadata.name ?? ''] ?? '');
    return pod.metadata.deletionTimestamp === undefined && !(evictedAt + deletionTimeout > now) && isPodReady(pod);
  }).length;
