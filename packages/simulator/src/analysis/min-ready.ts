import type { ApiObject } from 'kube-endpoints/port';
import type { TimelineEntry } from '../engine/timeline.ts';
import { controllerOf } from '../workloads/owner-references.ts';
import { isPodReady } from '../workloads/pods.ts';
import type { Pod } from '../workloads/types.ts';
import type { Run } from './scenario.ts';

/** When the first pod became ready whose workload then waited for its `minReadySeconds`, in milliseconds since the epoch; undefined if none did. */
export function findMinReadyWait({ timeline, since }: Pick<Run, 'timeline' | 'since'>): number | undefined {
  const waiting = new Set(
    timeline.flatMap((entry) => ('object' in entry && waitsForReady(entry.object) ? [entry.object.metadata.uid] : [])),
  );
  if (waiting.size === 0) return undefined;
  return timeline.find(
    (entry) => entry.at >= since && 'object' in entry && becomesReady(entry) && waiting.has(controllerOf(entry.object)?.uid),
  )?.at;
}

const waitsForReady = ({ spec }: ApiObject): boolean =>
  ((spec as { readonly minReadySeconds?: number } | undefined)?.minReadySeconds ?? 0) > 0;

const becomesReady = ({ type, object, previous }: TimelineEntry & { readonly previous?: ApiObject; readonly object: ApiObject }): boolean =>
  type === 'update' && object.kind === 'Pod' && isPodReady(object as Pod) && !(previous && isPodReady(previous as Pod));
