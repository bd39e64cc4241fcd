import type { History } from './history.ts';
import { keyFrom, keyOf, sameObject, versionOf } from './kinds.ts';
import type { GetRecord, ListRecord } from './record.ts';

/** Returns a problem unless the get returned a state that the object had during the call. */
export function checkGet({ key, resource, span, object }: GetRecord, history: History): string | undefined {
  const states = history.statesDuring(keyFrom(key), span);
  const isKnownState = states.some((state) => (state && object ? sameObject(state, object) : state === object));
  if (isKnownState) return undefined;
  const actual = object ? `version ${versionOf(object)}` : 'nothing';
  return `get ${resource.plural} ${keyFrom(key)}: ${actual}, which was not its state at any time between ${span.low} and ${span.high}`;
}

/**
 * Returns a problem unless all pages show the objects of a single version: the requested version or, without one, a version that was the
 * newest during the call. Also returns a problem if the list was refused as expired although its version was not compacted.
 */
export function checkList(record: ListRecord, history: History): string | undefined {
  const { kind, scope, span, requestedVersion, pages, isComplete, expiry } = record;
  const { matches: _, hasNoSelector, ...selection } = scope;
  const name = `list ${kind.resource.plural} ${JSON.stringify(selection)}`;
  const version = pages[0]?.version ?? requestedVersion;
  if (version === undefined) return `${name}: a list without a version is refused as expired`;
  if (expiry?.compactedVersion !== undefined && version >= expiry.compactedVersion) {
    return `${name}: ${version} is refused as expired, although only versions up to ${expiry.compactedVersion} were compacted`;
  }
  if (pages.length === 0) return undefined;
  if (requestedVersion !== undefined ? version !== requestedVersion : version < span.low || version > span.high) {
    return `${name}: it shows version ${version}, not ${requestedVersion ?? `a version between ${span.low} and ${span.high}`}`;
  }
  const differentPage = pages.find((page) => page.version !== version);
  if (differentPage) return `${name}: a page shows version ${differentPage.version}, the first page ${version}`;
  return checkItems(record, history, version, { name, hasNoSelector, isComplete });
}

function checkItems(
  { pages, scope }: ListRecord,
  history: History,
  version: number,
  { name, hasNoSelector, isComplete }: { readonly name: string; readonly hasNoSelector: boolean; readonly isComplete: boolean },
): string | undefined {
  const expected = history.objectsAt(version, scope);
  let count = 0;
  for (const { items, remainingItemCount } of pages) {
    for (const item of items) {
      const expectedItem = expected[count];
      count += 1;
      if (!expectedItem || !sameObject(item, expectedItem)) {
        return `${name} at ${version}: item ${count} is ${keyOf(item)}@${versionOf(item)}, not ${expectedItem ? `${keyOf(expectedItem)}@${versionOf(expectedItem)}` : 'the end of the list'}`;
      }
    }
    if (remainingItemCount !== undefined && hasNoSelector && remainingItemCount !== expected.length - count) {
      return `${name} at ${version}: remainingItemCount is ${remainingItemCount} after ${count} of ${expected.length}`;
    }
  }
  return isComplete && count !== expected.length ? `${name} at ${version}: ${count} items, expected ${expected.length}` : undefined;
}
