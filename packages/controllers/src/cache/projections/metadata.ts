import type { ApiObjectMeta } from 'kube-endpoints/port';
import type { ObjectMeta, StringMap } from 'kube-endpoints/types';
import type { InternTable } from './intern.ts';

/** What every projection keeps of an object's metadata. Labels are kept whole where any of them may count. */
export function projectMetadata(metadata: ApiObjectMeta, labels: StringMap | undefined, table: InternTable): Kept {
  const { name, namespace, uid, resourceVersion, deletionTimestamp } = metadata;
  const kept: Kept = { name, namespace: table.text(namespace), uid, resourceVersion, labels: shared(labels, table) };
  // Made in one go for by far the most objects: they then have one shape, with no room for more.
  if (deletionTimestamp !== undefined) kept.deletionTimestamp = deletionTimestamp;
  return kept;
}

/** `ObjectMeta` on its way. */
export type Kept = { -readonly [Field in keyof ObjectMeta]: ObjectMeta[Field] };

/** Labels that many objects have, pods of one Deployment for instance, are one object. */
export const shared = (map: StringMap | undefined, table: InternTable): StringMap | undefined =>
  map && !isEmpty(map) ? table.value(map) : undefined;

/** The entries of a map that have one of these keys; undefined where there are none. */
export function only(map: StringMap | undefined, keys: readonly string[]): StringMap | undefined {
  if (!map) return undefined;
  const found = keys.filter((key) => Object.hasOwn(map, key));
  return found.length > 0 ? Object.fromEntries(found.map((key) => [key, map[key] as string])) : undefined;
}

/** Metadata that a write has to send back: all but what the server keeps itself. */
export function writableMetadata(metadata: ApiObjectMeta, table: InternTable): ApiObjectMeta {
  const { managedFields: _, namespace, labels, ...rest } = metadata;
  return {
    ...rest,
    ...(namespace !== undefined && { namespace: table.text(namespace) }),
    ...(labels !== undefined && { labels: table.value(labels) }),
  };
}

function isEmpty(map: object): boolean {
  for (const key in map) if (Object.hasOwn(map, key)) return false;
  return true;
}
