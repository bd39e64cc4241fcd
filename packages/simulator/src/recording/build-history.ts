import { deepEqual } from 'kube-endpoints/internal/apimachinery';
import type { ApiObject } from 'kube-endpoints/port';
import { createDerivation, type DeriveStates, type State } from './derive.ts';
import { inferTime, isServerTime, withoutManagedFields } from './object-times.ts';
import type { ManagedTime, RawWrite } from './raw-write.ts';
import { type History, type ObjectVersion, type RecordedEvent, refKey, type TimeRange, type Writer } from './types.ts';

/** Orders the writes of a recording, computes the states that it does not show, and bounds the times that it does not have. */
export function buildHistory(
  writes: readonly RawWrite[],
  events: readonly RecordedEvent[],
  skipped: Readonly<Record<string, number>>,
): History {
  const derive = createDerivation();
  const last = new Map<string, Last>();
  const versions = sortWrites(writes).flatMap((write) => readVersions(write, last, derive));
  const bounded = boundTimes(versions).map((version, id): ObjectVersion => ({ ...version, id }));
  const times = [...bounded.flatMap(({ time }) => [time.earliest, time.latest]), ...events.map(({ at }) => at)].filter(Number.isFinite);
  return {
    from: times.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY),
    to: times.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY),
    versions: bounded,
    events: events.toSorted((a, b) => a.at - b.at),
    skipped,
  };
}

type Version = Omit<ObjectVersion, 'id'>;

/** The last state of an object. */
interface Last {
  readonly object: ApiObject | undefined;
  readonly managed: ManagedTime | undefined;
  readonly resourceVersion: string | undefined;
  readonly isDeleted: boolean;
}

const numberOf = (resourceVersion: string | undefined): number | undefined =>
  resourceVersion !== undefined && /^\d+$/.test(resourceVersion) ? Number(resourceVersion) : undefined;

/**
 * Orders writes by time, and among those with a resourceVersion by it: the API server numbers all writes. Entries of the same write become neighbours,
 * with that of an audit log first.
 */
function sortWrites(writes: readonly RawWrite[]): RawWrite[] {
  const byTime = writes.toSorted((a, b) => a.near - b.near);
  const numbered = byTime
    .filter(({ resourceVersion }) => numberOf(resourceVersion) !== undefined)
    .sort(
      (a, b) =>
        Number(a.resourceVersion) - Number(b.resourceVersion) ||
        Number(b.writer !== undefined) - Number(a.writer !== undefined) ||
        a.bound - b.bound,
    );
  let next = 0;
  return byTime.map((write) => (numberOf(write.resourceVersion) === undefined ? write : (numbered[next++] as RawWrite)));
}

/** The versions that a write adds to the history; none if the history has them already, or if nothing changed. */
function readVersions(write: RawWrite, last: Map<string, Last>, derive: DeriveStates): Version[] {
  const key = refKey(write);
  const stored = last.get(key);
  const { kind, namespace, name, writer, place, managed } = write;
  if (write.resourceVersion !== undefined && write.resourceVersion === stored?.resourceVersion) return [];
  if (stored?.isDeleted && (write.effect === 'vanish' || write.effect === 'delete')) return [];
  const existing = stored?.isDeleted ? undefined : stored;
  const isReplaced = write.object && existing?.object && isOtherObject(write.object, existing.object);
  const previous = isReplaced ? undefined : existing;
  const ref = { kind, namespace, name, place };
  const states = derive(inferDeletion(write, previous), previous?.object);
  const versions = states.map((state, index): Version => {
    const isLast = index === states.length - 1;
    const resourceVersion = isLast ? write.resourceVersion : undefined;
    return {
      ...ref,
      change: state.change === 'observe' && stored ? 'create' : state.change,
      ...(state.object && { object: withoutManagedFields(state.object) }),
      isDerived: state.isDerived,
      ...(resourceVersion !== undefined && { resourceVersion }),
      time: write.time ?? timeOf(write, previous),
      ...(writer ? { writer } : writerOf(managed, previous)),
      ...(write.effect === 'evict' && { isEviction: true }),
    };
  });
  const newest = states.at(-1);
  if (newest) last.set(key, rememberState(newest, write, previous));
  if (!isReplaced) return versions;
  const deletion = { ...ref, change: 'delete', object: existing?.object as ApiObject, isDerived: true } as const;
  const time = versions[0]?.time as TimeRange;
  return [{ ...deletion, time: { earliest: Number.NEGATIVE_INFINITY, latest: time.latest, source: 'order' } }, ...versions];
}

const rememberState = ({ object, change }: State, write: RawWrite, previous: Last | undefined): Last => ({
  object: object && withoutManagedFields(object),
  managed: write.managed ?? previous?.managed,
  resourceVersion: write.resourceVersion ?? object?.metadata.resourceVersion,
  isDeleted: change === 'delete',
});

const isOtherObject = (a: ApiObject, b: ApiObject): boolean =>
  a.metadata.uid !== undefined && b.metadata.uid !== undefined && a.metadata.uid !== b.metadata.uid;

/**
 * Without `--output-watch-events`, kubectl prints a deleted object like a changed one. Every update changes something; a deletion changes only the
 * resourceVersion.
 */
function inferDeletion(write: RawWrite, previous: Last | undefined): RawWrite {
  if (write.effect !== 'observe' || !write.object || !previous?.object || write.bound !== Number.POSITIVE_INFINITY) return write;
  if (write.managed && write.managed.at !== previous.managed?.at) return write;
  return deepEqual(unversioned(write.object), unversioned(previous.object)) ? { ...write, effect: 'vanish' } : write;
}

function unversioned(object: ApiObject): object {
  const { resourceVersion: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

function timeOf({ object, managed, floor, bound, effect }: RawWrite, previous: Last | undefined): TimeRange {
  if (!object) return { earliest: Number.NEGATIVE_INFINITY, latest: bound, source: 'object' };
  const before = previous?.object && effect !== 'vanish' ? { object: previous.object, managed: previous.managed } : undefined;
  return inferTime({ object, managed }, before, { floor, bound });
}

/** The manager whose entry is newer than in the previous state. */
function writerOf(managed: ManagedTime | undefined, previous: Last | undefined): { readonly writer?: Writer } {
  if (!managed || (previous?.managed && managed.at <= previous.managed.at)) return {};
  return { writer: { component: managed.manager } };
}

/**
 * Bounds the times of writes by those of the writes with lower and higher resource versions. Times of audit logs stay as they are, and writes without
 * a resourceVersion have no order.
 */
function boundTimes(versions: readonly Version[]): Version[] {
  const bounded = [...versions];
  const numbered = [...versions.keys()].filter((i) => numberOf(versions[i]?.resourceVersion) !== undefined);
  let earliest = Number.NEGATIVE_INFINITY;
  for (const i of numbered) {
    const version = bounded[i] as Version;
    if (version.time.source !== 'audit' && version.time.earliest < earliest) bounded[i] = narrow(version, { earliest });
    if (isServerTime(version.time)) earliest = Math.max(earliest, version.time.earliest);
  }
  let latest = Number.POSITIVE_INFINITY;
  for (const i of numbered.toReversed()) {
    const version = bounded[i] as Version;
    if (version.time.source !== 'audit' && version.time.latest > latest) bounded[i] = narrow(version, { latest });
    latest = Math.min(latest, (bounded[i] as Version).time.latest);
  }
  return bounded;
}

function narrow(version: Version, bounds: { readonly earliest?: number; readonly latest?: number }): Version {
  const { earliest, latest } = { ...version.time, ...bounds };
  return { ...version, time: { earliest: Math.min(earliest, latest), latest: Math.max(earliest, latest), source: version.time.source } };
}
