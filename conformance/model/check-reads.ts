import type { History } from './history.ts';
import { keyFrom, keyOf, sameObject, versionOf } from './kinds.ts';
import type { GetRecord, ListRecord } from './record.ts';

/** The problem of a get, if any: it must return the state at some time of the call. */
export function checkGet({ key, resource, span, object }: GetRecord, history: History): string | undefined {
  const states = history.during(keyFrom(key), span);
  const found = states.some((state) => (state && object ? sameObject(state, object) : state === object));
  if (found) return undefined;
  const got = object ? `version ${versionOf(object)}` : 'nothing';
  return `get ${resource.plural} ${keyFrom(key)}: ${got}, which was not its state at any time between ${span.low} and ${span.high}`;
}

/** The problem of a list, if any: all pages must show one version, either the requested one or one during the call. */
export function checkList(record: ListRecord, history: History): string | undefined {
  const { kind, scope, span, exact, pages, whole, expired } = record;
  const { matches: _, whole: unselected, ...selection } = scope;
  const name = `list ${kind.resource.plural} ${JSON.stringify(selection)}`;
  const version = pages[0]?.version ?? exact;
  if (version === undefined) return `${name}: the newest version is refused as expired`;
  if (expired?.compacted !== undefined && version >= expired.compacted) {
    return `${name}: ${version} is refused, though only ${expired.compacted} is forgotten`;
  }
  if (pages.length === 0) return undefined;
  if (exact !== undefined ? version !== exact : version < span.low || version > span.high) {
    return `${name}: it shows ${version}, not ${exact ?? `something between ${span.low} and ${span.high}`}`;
  }
  const other = pages.find((page) => page.version !== version);
  if (other) return `${name}: a page shows ${other.version}, others ${version}`;
  return checkItems(record, history, version, { name, unselected, whole });
}

function checkItems(
  { pages, scope }: ListRecord,
  history: History,
  version: number,
  { name, unselected, whole }: { readonly name: string; readonly unselected: boolean; readonly whole: boolean },
): string | undefined {
  const expected = history.at(version, scope);
  let count = 0;
  for (const { items, remaining } of pages) {
    for (const item of items) {
      const wanted = expected[count];
      count += 1;
      if (!wanted || !sameObject(item, wanted)) {
        return `${name} at ${version}: item ${count} is ${keyOf(item)}@${versionOf(item)}, not ${wanted ? `${keyOf(wanted)}@${versionOf(wanted)}` : 'over'}`;
      }
    }
    if (remaining !== undefined && unselected && remaining !== expected.length - count) {
      return `${name} at ${version}: ${remaining} are said to remain of ${expected.length} after ${count}`;
    }
  }
  return whole && count !== expected.length ? `${name} at ${version}: ${count} items, expected ${expected.length}` : undefined;
}
