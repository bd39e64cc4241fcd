import { triggerTimeAnnotation } from 'kube-endpoints/internal';
import type { ApiObject } from 'kube-endpoints/port';
import { isFields, parseTime } from './fields.ts';
import type { ManagedTime } from './raw-write.ts';
import type { TimeRange } from './types.ts';

/** Times in objects have a resolution of one second, in milliseconds: they are rounded down. */
export const resolution = 1000;

/** The newest entry of managedFields, whose time the API server sets to that of the write. Undefined if the object shows none. */
export function newestManager({ metadata }: ApiObject): ManagedTime | undefined {
  const entries = (metadata as { readonly managedFields?: unknown }).managedFields;
  let newest: ManagedTime | undefined;
  for (const entry of Array.isArray(entries) ? entries.filter(isFields) : []) {
    const at = parseTime(entry['time']);
    if (at !== undefined && (!newest || at >= newest.at)) newest = { at, manager: String(entry['manager'] ?? '') };
  }
  return newest;
}

export function withoutManagedFields(object: ApiObject): ApiObject {
  const { managedFields: _, ...metadata } = object.metadata as ApiObject['metadata'] & { readonly managedFields?: unknown };
  return { ...object, metadata };
}

/** When the API server marked an object as deleted, rounded down to a second: its deletion time without the grace period. */
function markedAt({ metadata }: ApiObject): number | undefined {
  const deadline = parseTime(metadata.deletionTimestamp);
  return deadline === undefined ? undefined : deadline - (metadata.deletionGracePeriodSeconds ?? 0) * 1000;
}

/** The newest time in an object that is not later than its write, in milliseconds since the epoch. -Infinity if it has none. */
export function newestTime(object: ApiObject, managed: ManagedTime | undefined): number {
  const { metadata } = object;
  const status = isFields(object['status']) ? object['status'] : {};
  const conditions = Array.isArray(status['conditions']) ? status['conditions'].filter(isFields) : [];
  const times = [
    metadata.creationTimestamp,
    metadata.annotations?.[triggerTimeAnnotation],
    ...conditions.flatMap((each) => [each['lastTransitionTime'], each['lastHeartbeatTime'], each['lastUpdateTime']]),
  ].map((time) => parseTime(time) ?? Number.NEGATIVE_INFINITY);
  return Math.max(managed?.at ?? Number.NEGATIVE_INFINITY, ...times);
}

export interface Observed {
  readonly object: ApiObject;
  readonly managed?: ManagedTime | undefined;
}

/** The earliest and the latest possible time of a write, in milliseconds since the epoch. */
export interface Limits {
  readonly floor?: number | undefined;
  readonly bound: number;
}

/**
 * Infers when a state was written, from what is new in it since the previous state. A write that only removes fields has no time of its own in
 * managedFields; then all times in the object are lower bounds only.
 */
export function inferTime(
  { object, managed }: Observed,
  previous: Observed | undefined,
  { floor = Number.NEGATIVE_INFINITY, bound }: Limits,
): TimeRange {
  const isNewer = previous && managed && managed.at > (previous.managed?.at ?? Number.NEGATIVE_INFINITY);
  if (isNewer) return range(managed.at, bound, 'managedFields');
  const marked = previous && previous.object.metadata.deletionTimestamp === undefined ? markedAt(object) : undefined;
  // A dump may show a later write, which only removed fields.
  if (marked !== undefined) return { ...range(marked, bound, 'deletion'), ...(bound !== Number.POSITIVE_INFINITY && { latest: bound }) };
  return {
    earliest: Math.max(floor, newestTime(object, managed)),
    latest: bound,
    source: bound === Number.POSITIVE_INFINITY ? 'object' : 'dump',
  };
}

const range = (at: number, bound: number, source: TimeRange['source']): TimeRange => ({
  earliest: at,
  latest: Math.max(at, Math.min(at + resolution - 1, bound)),
  source,
});

/** Whether the API server set the earliest time, in contrast to a kubelet or another client with a clock of its own. */
export const isServerTime = ({ source }: TimeRange): boolean => source !== 'object' && source !== 'dump';
