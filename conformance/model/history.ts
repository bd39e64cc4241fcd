import type { ApiObject, WatchEvent } from 'kube-endpoints/port';
import { placeOf, type Scope, sameObject, versionOf } from './kinds.ts';
import type { Span } from './record.ts';

/** One write: what was there, and what is. */
export interface Version {
  readonly version: number;
  readonly place: string;
  readonly type: WatchEvent['type'];
  readonly before: ApiObject | undefined;
  readonly after: ApiObject | undefined;
}

/** An event as somebody who looks at a part is to be told of it. */
export interface Said {
  readonly version: number;
  readonly type: WatchEvent['type'];
  readonly object: ApiObject;
}

/** All that ever was of a resource, one version after another: slow, and forgetful of nothing. */
export interface History {
  readonly versions: readonly Version[];
  /** What there was at a version, in the order of lists. */
  at(version: number, scope: Scope): readonly ApiObject[];
  /** What happened after a version. */
  since(version: number, scope: Scope): readonly Said[];
  /** What was at a place at one of these versions, or in between. */
  during(place: string, span: Span): readonly (ApiObject | undefined)[];
}

/** Puts events in a row. Whatever cannot follow what was before is told to `problem`. */
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
