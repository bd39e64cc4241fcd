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

/** An event that a watch of a scope must deliver. */
export interface ExpectedEvent {
  readonly version: number;
  readonly type: WatchEvent['type'];
  readonly object: ApiObject;
}

/** The full history of a resource. Simple instead of fast. */
export interface History {
  readonly versions: readonly Version[];
  /** The objects at a version, in list order. */
  objectsAt(version: number, scope: Scope): readonly ApiObject[];
  /** The events that a watch of the scope must deliver after a version. */
  eventsAfter(version: number, scope: Scope): readonly ExpectedEvent[];
  /** The states of an object from the low to the high version, inclusive; undefined while it does not exist. */
  statesDuring(key: string, span: Span): readonly (ApiObject | undefined)[];
}

/** Creates a history from events in order. Calls `reportProblem` for an event that cannot follow the previous state. */
export function createHistory(events: readonly WatchEvent[], reportProblem: (text: string) => void): History {
  const versions = createVersions(events, reportProblem);
  const objectsByKey = (version: number): Map<string, ApiObject> => {
    const objects = new Map<string, ApiObject>();
    for (const { version: eventVersion, key, after } of versions) {
      if (eventVersion > version) break;
      if (after) objects.set(key, after);
      else objects.delete(key);
    }
    return objects;
  };
  return {
    versions,
    objectsAt: (version, scope) =>
      [...objectsByKey(version)]
        .filter(([, object]) => scope.matches(object))
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([, object]) => object),
    eventsAfter: (version, scope) =>
      versions.filter((each) => each.version > version).flatMap((each) => toExpectedEvent(each, scope) ?? []),
    statesDuring: (key, { low, high }) => [
      objectsByKey(low).get(key),
      ...versions.filter((each) => each.key === key && each.version > low && each.version <= high).map(({ after }) => after),
    ],
  };
}

function createVersions(events: readonly WatchEvent[], reportProblem: (text: string) => void): Version[] {
  const objects = new Map<string, ApiObject>();
  let lastVersion = 0;
  return events.map(({ type, object }) => {
    const [version, key] = [versionOf(object), keyOf(object)];
    const before = objects.get(key);
    const after = type === 'DELETED' ? undefined : object;
    if (version <= lastVersion) reportProblem(`${type} ${key}@${version} comes after version ${lastVersion}`);
    if ((type === 'ADDED') === (before !== undefined))
      reportProblem(`${type} ${key}@${version} although the object ${before ? 'existed' : 'did not exist'}`);
    if (type === 'DELETED' && before && !sameObject(object, withVersion(before, version)))
      reportProblem(`${key}@${version}: the deleted object differs from its last state`);
    if (type === 'MODIFIED' && before?.metadata.uid !== object.metadata.uid)
      reportProblem(`${key}@${version} has a different uid than before`);
    lastVersion = version;
    if (after) objects.set(key, after);
    else objects.delete(key);
    return { version, key, type, before, after };
  });
}

function toExpectedEvent({ version, before, after }: Version, scope: Scope): ExpectedEvent | undefined {
  const matchedBefore = before !== undefined && scope.matches(before);
  const matchesAfter = after !== undefined && scope.matches(after);
  if (matchesAfter) return { version, type: matchedBefore ? 'MODIFIED' : 'ADDED', object: after };
  return matchedBefore ? { version, type: 'DELETED', object: withVersion(before, version) } : undefined;
}

const withVersion = (object: ApiObject, version: number): ApiObject => ({
  ...object,
  metadata: { ...object.metadata, resourceVersion: String(version) },
});
