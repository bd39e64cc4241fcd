import { unclassified } from '../../store/errors.ts';
import { format } from '../go-format.ts';
import { isMap, type JsonMap, own, put, sortedKeys } from '../json.ts';
import type { TypeRef } from '../types/type.ts';
import { listNamedBy, orderPrefix, withoutDirectives } from './directives.ts';
import { badType, noMergeKey } from './errors.ts';
import { elementKind, type MergeMaps, mergeLists } from './list.ts';
import { lookupList } from './lookup.ts';
import { inOrder } from './order.ts';
import { comparable } from './slice.ts';

/**
 * Merges the lists that the patch gives an order for and takes them out of the patch: `mergePatchIntoOriginal` (1.36,
 * apimachinery/pkg/util/strategicpatch/patch.go).
 */
export function mergeOrderedLists(original: JsonMap, patch: JsonMap, type: TypeRef, mergeMaps: MergeMaps): void {
  for (const directive of sortedKeys(patch).filter((key) => key.startsWith(orderPrefix))) {
    const order = asList(own(patch, directive));
    delete patch[directive];
    const key = listNamedBy(directive, orderPrefix);
    const live = own(original, key) === undefined ? undefined : asList(own(original, key));
    const changes = own(patch, key) === undefined ? undefined : asList(own(patch, key));
    const meta = lookupList(type, key);
    assertOrderFits(changes ?? [], order, meta.mergeKey);
    // What merging does to this list's memory decides over where items are put.
    const memory = live ?? [];
    const merged = live && changes ? mergeLists(memory, changes, meta, false, mergeMaps) : (live ?? added(changes));
    if (merged !== undefined) {
      const ofMaps = elementKind(memory, changes ?? []) === 'map';
      put(original, key, inOrder(merged, order, memory, meta.mergeKey, ofMaps));
      delete patch[key];
    }
  }
}

const added = (changes: unknown[] | undefined): unknown[] | undefined =>
  changes === undefined ? undefined : (withoutDirectives(changes) as unknown[]);

function asList(value: unknown): unknown[] {
  if (!Array.isArray(value)) {
    throw badType([], value);
  }
  return value;
}

/** `validatePatchWithSetOrderList`: the order names all that the patch adds or changes, in the order in which the patch has it. */
function assertOrderFits(changes: readonly unknown[], order: readonly unknown[], mergeKey: string): void {
  if (changes.length === 0 || order.length === 0) {
    return;
  }
  const kept = mergeKey === '' ? changes : changes.filter((item) => own(asMap(item), '$patch') !== 'delete');
  let next = 0;
  let index = 0;
  while (index < kept.length && next < order.length) {
    const item = kept[index];
    if (isMap(item) && own(item, '$patch') !== undefined) {
      index += 1;
      continue;
    }
    index += keyOf(item, mergeKey) === keyOf(order[next], mergeKey) ? 1 : 0;
    next += 1;
  }
  if (index < kept.length) {
    throw unclassified(`The order in patch list:\n${format(changes)}\n doesn't match $setElementOrder list:\n${format(order)}\n`);
  }
}

function asMap(item: unknown): JsonMap {
  if (!isMap(item)) {
    throw badType({}, item);
  }
  return item;
}

function keyOf(item: unknown, mergeKey: string): unknown {
  if (mergeKey === '') {
    return comparable(item);
  }
  const key = own(asMap(item), mergeKey);
  if (key === undefined) {
    throw noMergeKey(asMap(item), mergeKey);
  }
  return comparable(key);
}
