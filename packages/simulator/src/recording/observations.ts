import type { ApiObject } from 'kube-endpoints/port';
import { checkObject } from './check-types.ts';
import { type Fields, isFields, textAt } from './fields.ts';
import { newestManager, newestTime, resolution, withoutManagedFields } from './object-times.ts';
import { type Effect, isRecordedKind, type RawWrite, refOf } from './raw-write.ts';
import { type Place, RecordingError, refKey } from './types.ts';

/** Reads an object that a watch or a dump shows. @param bound the latest time at which it can have been written; infinite if unknown */
export function readObserved(object: Fields, effect: Effect, bound: number, place: Place): RawWrite {
  const ref = refOf(object, place);
  checkObject(object, ref.kind, place);
  const recorded = object as unknown as ApiObject;
  const managed = newestManager(recorded);
  const { resourceVersion } = recorded.metadata;
  return {
    ...ref,
    effect,
    object: withoutManagedFields(recorded),
    bound,
    near: Math.min(newestTime(recorded, managed), bound),
    ...(managed && { managed }),
    ...(typeof resourceVersion === 'string' && { resourceVersion }),
    place,
  };
}

const watchEffects: Readonly<Record<string, Effect>> = { ADDED: 'observe', MODIFIED: 'observe', DELETED: 'vanish' };

/** An event of `kubectl get -w --output-watch-events`: undefined for a bookmark. @throws RecordingError for an unknown type or an error */
export function readWatchEvent(event: Fields, place: Place): { readonly object: Fields; readonly effect: Effect } | undefined {
  const type = textAt(event, 'type', place);
  if (type === 'BOOKMARK') return undefined;
  if (!Object.hasOwn(watchEffects, type))
    throw new RecordingError(`${place}: type: ${JSON.stringify(type)} is not ADDED, MODIFIED or DELETED`);
  if (!isFields(event['object'])) throw new RecordingError(`${place}: object: give an object`);
  return { object: event['object'], effect: watchEffects[type] as Effect };
}

/** When a dump was taken, in milliseconds since the epoch, as far as its file shows. */
export interface DumpTime {
  /** The time in the name of the file: the request for the objects was not earlier. */
  readonly named?: number | undefined;
  /** When the file was written. */
  readonly modified?: number | undefined;
}

/**
 * Compares dumps of the same command: what a dump lacks although the one before has it was deleted between them. Dumps must come in the order of
 * their times.
 */
export interface DumpReader {
  /** @param source the name of the file, without its digits the same for all dumps of a command */
  read(source: string, items: readonly Fields[], time: DumpTime, placeOf: (index: number) => Place): RawWrite[];
}

export function createDumpReader(): DumpReader {
  const previousDumps = new Map<string, { readonly start: number; readonly writes: ReadonlyMap<string, RawWrite> }>();
  return {
    read(source, items, time, placeOf) {
      const group = source.replace(/\d+/g, '');
      const recorded = items.flatMap((item, index) => (isRecordedKind(item['kind']) ? [{ item, place: placeOf(index) }] : []));
      const objects = recorded.map(({ item, place }) => readObserved(item, 'observe', Number.POSITIVE_INFINITY, place));
      const newest = objects.reduce((newestNear, { near }) => Math.max(newestNear, near), Number.NEGATIVE_INFINITY);
      const { start, end } = findBounds(time, newest);
      const previous = previousDumps.get(group);
      const floor = previous && { floor: previous.start };
      const writes = new Map(objects.map((write) => [refKey(write), { ...write, ...floor, bound: end }]));
      previousDumps.set(group, { start, writes });
      const gone = [...(previous?.writes ?? [])].filter(([key]) => !writes.has(key));
      return [...writes.values(), ...gone.map(([, write]) => vanish(write, previous?.start ?? start, end, source))];
    },
  };
}

/** In milliseconds. A file that was written later than its name says by more was probably copied. */
const maxDumpDuration = 600_000;

/** @param newest the newest time in the objects */
function findBounds({ named, modified }: DumpTime, newest: number): { readonly start: number; readonly end: number } {
  const start = named ?? newest;
  const isWritten = modified !== undefined && modified >= start && (named === undefined || modified - named <= maxDumpDuration);
  return { start, end: Math.max(isWritten ? modified : start + resolution - 1, newest + resolution - 1) };
}

function vanish({ kind, namespace, name, object }: RawWrite, earliest: number, latest: number, place: Place): RawWrite {
  const time = { earliest, latest, source: 'dump' } as const;
  return { kind, namespace, name, effect: 'vanish', ...(object && { object }), time, bound: latest, near: latest, place };
}

/** The time in the name of a file, in UTC unless it says otherwise; undefined if it has none. */
export function timeInName(name: string): number | undefined {
  const file = name.slice(name.lastIndexOf('/') + 1);
  const [, year, month, day, hour, minute, second = '00', zone = 'Z'] = dateTime.exec(file) ?? [];
  if (year !== undefined) {
    const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}${zone}`);
    return Number.isNaN(time) ? undefined : time;
  }
  const [seconds] = /(?<!\d)\d{10}(?!\d)/.exec(file) ?? [];
  return seconds === undefined ? undefined : Number(seconds) * 1000;
}

/** Such as 2026-11-30T02:13:04Z, 20261130T021304, 2026-11-30_02-13-04 and 2026-11-30-0213. */
const dateTime = /(?<!\d)(\d{4})-?([01]\d)-?([0-3]\d)[T_-]?([0-2]\d)[:.-]?([0-5]\d)(?:[:.-]?([0-5]\d))?(Z|[+-]\d\d:\d\d)?(?!\d)/;
