import { parseTime } from '../time.ts';
import type { Pod } from '../types.ts';
import type { EndedContainerStatus } from './objects.ts';

/**
 * When a pod ended, in milliseconds since the epoch: the end of its last container, or when it became not ready, was deleted, or was created.
 * Mirrors getFinishedTime (1.36, pkg/controller/job/backoff_utils.go).
 */
export function finishTimeOf(pod: Pod): number {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, creationTimestamp } = pod.metadata;
  const deletionTime = parseTime(deletionTimestamp);
  return (
    finishTimeOfContainers(pod) ??
    notReadyTimeOf(pod) ??
    (deletionTime === undefined ? undefined : deletionTime - Number(deletionGracePeriodSeconds) * 1000) ??
    parseTime(creationTimestamp) ??
    zeroTime
  );
}

/** Go's zero time. */
const zeroTime = Date.parse('0001-01-01T00:00:00Z');

/** The latest end of all containers, or of all sidecars. */
function finishTimeOfContainers({ spec, status }: Pod): number | undefined {
  const sidecars = new Set((spec?.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always').map(({ name }) => name));
  const containers = latestFinish(undefined, status?.containerStatuses ?? []);
  return latestFinish(
    containers,
    (status?.initContainerStatuses ?? []).filter(({ name }) => sidecars.has(name)),
  );
}

/** The latest of a time and the ends of containers; undefined if one of them has not ended. */
function latestFinish(previous: number | undefined, statuses: readonly EndedContainerStatus[]): number | undefined {
  const times = statuses.map(({ state }) => parseTime(state?.terminated?.finishedAt));
  if (times.includes(undefined)) return undefined;
  const known = [previous, ...times].filter((time) => time !== undefined);
  return known.length > 0 ? Math.max(...known) : undefined;
}

function notReadyTimeOf({ status }: Pod): number | undefined {
  const condition = status?.conditions?.find(({ type }) => type === 'Ready');
  return condition?.status === 'False' ? parseTime(condition.lastTransitionTime) : undefined;
}
