import type { ApiObject, WatchEvent } from 'kube-endpoints/port';
import { placeOf, type Scope, sameObject, versionOf } from './kinds.ts';
import type { Span } from './record.ts';

/** One write with the states before and after it. */
export interface Version {
  readonly version: number;
  readonly place: string;
  readonly type: WatchEvent['type'];
  readonly before: ApiObject | undefined;
  readonly after: ApiObject | undefined;
}

/** The expected event of a watch with a selector. */
export interface Said {
  readonly version: number;
  readonly type: WatchEvent['type'];
  readonly object: ApiObject;
}

/** The full history of a resource: slow but complete. */
export interface History {
  readonly versions: readonly Version[];
  /** The objects at a version, in list order. */
  at(version: number, scope: Scope): readonly ApiObject[];
  /** The events after a version. */
  since(version: number, scope: Scope): readonly Said[];
  /** The states of an object at these versions and in between. */
  during(place: string, span: Span): readonly (ApiObject | undefined)[];
}

/** Orders events. Reports an event that cannot follow the previous state to `problem`. */
export function createHistory(events: readonly WatchEvent[], problem: (text: string) => void): History {
  const versions = versionsOf(events, problem);
  const world = (version: number): Map<string, ApiObject> => {
    const objects = new Map<string, ApiObject>();
    for (const { version: at, place, after } of versions) {
      if (at > version) break;
      if (after) objects.set(place, after);
      else objects.delete(place);
    }
    return objects;
  };
  return {
    versions,
    at: (version, scope) =>
      [...world(version)]
        .filter(([, object]) => scope.matches(object))
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .map(([, object]) => object),
    since: (version, scope) => versions.filter((each) => each.version > version).flatMap((each) => say(each, scope) ?? []),
    during: (place, { low, high }) => [
      world(low).get(place),
      ...versions.filter((each) => each.place === place && each.version > low && each.version <= high).map(({ after }) => after),
    ],
  };
}

function versionsOf(events: readonly WatchEvent[], problem: (text: string) => void): Version[] {
  const objects = new Map<string, ApiObject>();
  let last = 0;
  return events.map(({ type, object }) => {
    const [version, place] = [versionOf(object), placeOf(object)];
    const before = objects.get(place);
    const after = type === 'DELETED' ? undefined : object;
    if (version <= last) problem(`${type} ${place}@${version} comes after version ${last}`);
    if ((type === 'ADDED') === (before !== undefined)) problem(`${type} ${place}@${version}, where there was ${before ? 'one' : 'none'}`);
    if (type === 'DELETED' && before && !sameObject(object, stamped(before, version)))
      problem(`${place}@${version} was not what is deleted`);
    if (type === 'MODIFIED' && before?.metadata.uid !== object.metadata.uid) problem(`${place}@${version} has another uid than before`);
    last = version;
    if (after) objects.set(place, after);
    else objects.delete(place);
    return { version, place, type, before, after };
  });
}

function say({ version, before, after }: Version, scope: Scope): Said | undefined {
  const was = before !== undefined && scope.matches(before);
  const is = after !== undefined && scope.matches(after);
  if (is) return { version, type: was ? 'MODIFIED' : 'ADDED', object: after };
  return was ? { version, type: 'DELETED', object: stamped(before, version) } : undefined;
}

const stamped = (object: ApiObject, version: number): ApiObject => ({
  ...object,
  metadata: { ...object.metadata, resourceVersion: String(version) },
});
