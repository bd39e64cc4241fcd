import type { ApiObject, WatchEvent } from 'kube-endpoints/port';
import { keyOf, type Scope, sameObject, versionOf } from './kinds.ts';
import type { Span } from './record.ts';

/** One write with the states before and after it. */
export interface Version {
  readonly version: number;
  readonly key: string;
  readonly type: WatchEvent['type'];
  readonly before: ApiObject | undefined;
  readonly after: ApiObject | undefined;
}

/** The expected event of a watch with a selector. */
export interface ExpectedEvent {
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
  since(version: number, scope: Scope): readonly ExpectedEvent[];
  /** The states of an object at these versions and in between. */
  during(key: string, span: Span): readonly (ApiObject | undefined)[];
}

/** Orders events. Reports an event that cannot follow the previous state to `problem`. */
export function createHistory(events: readonly WatchEvent[], problem: (text: string) => void): History {
  const versions = versionsOf(events, problem);
  const world = (version: number): Map<string, ApiObject> => {
    const objects = new Map<string, ApiObject>();
    for (const { version: at, key, after } of versions) {
      if (at > version) break;
      if (after) objects.set(key, after);
      else objects.delete(key);
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
    during: (key, { low, high }) => [
      world(low).get(key),
      ...versions.filter((each) => each.key === key && each.version > low && each.version <= high).map(({ after }) => after),
    ],
  };
}

function versionsOf(events: readonly WatchEvent[], problem: (text: string) => void): Version[] {
  const objects = new Map<string, ApiObject>();
  let last = 0;
  return events.map(({ type, object }) => {
    const [version, key] = [versionOf(object), keyOf(object)];
    const before = objects.get(key);
    const after = type === 'DELETED' ? undefined : object;
    if (version <= last) problem(`${type} ${key}@${version} comes after version ${last}`);
    if ((type === 'ADDED') === (before !== undefined))
      problem(`${type} ${key}@${version} although the object ${before ? 'existed' : 'did not exist'}`);
    if (type === 'DELETED' && before && !sameObject(object, stamped(before, version))) problem(`${key}@${version} was not what is deleted`);
    if (type === 'MODIFIED' && before?.metadata.uid !== object.metadata.uid) problem(`${key}@${version} has another uid than before`);
    last = version;
    if (after) objects.set(key, after);
    else objects.delete(key);
    return { version, key, type, before, after };
  });
}

function say({ version, before, after }: Version, scope: Scope): ExpectedEvent | undefined {
  const was = before !== undefined && scope.matches(before);
  const is = after !== undefined && scope.matches(after);
  if (is) return { version, type: was ? 'MODIFIED' : 'ADDED', object: after };
  return was ? { version, type: 'DELETED', object: stamped(before, version) } : undefined;
}

const stamped = (object: ApiObject, version: number): ApiObject => ({
  ...object,
  metadata: { ...object.metadata, resourceVersion: String(version) },
});
