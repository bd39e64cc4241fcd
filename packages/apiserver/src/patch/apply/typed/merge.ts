import { getOwn, type JsonMap, put } from '../../json.ts';
import type { ListAtom, MapAtom, TypeRef } from '../../types/type.ts';
import type { PathElement } from '../path-element.ts';
import { asList, asMap, deduce, handle, identify, isEmptyMap, typeAt, type Value } from './atom.ts';

/**
 * Merges a configuration (`right`) into a value (`left`), and removes nothing. Mirrors TypedValue.Merge. List items follow the order of the
 * configuration, interleaved with items that only the value has. Both arguments must be valid; the result shares parts with them.
 */
export function merge(left: Value, right: Value, type: TypeRef): Value {
  const atom = type.resolve();
  const effectiveValue = right === undefined ? left : right;
  return handle(deduce(atom, effectiveValue), {
    scalar: () => effectiveValue,
    list(list) {
      const [lefts, rights] = [asList(left) ?? [], asList(right) ?? []];
      return list.atomic || lefts.length + rights.length === 0 ? effectiveValue : mergeItems(lefts, rights, list);
    },
    map: (map) => (map.atomic || (isEmptyMap(left) && isEmptyMap(right)) ? effectiveValue : mergeFields(left, right, map)),
  });
}

function mergeFields(left: Value, right: Value, map: MapAtom): JsonMap | undefined {
  const [lefts, rights] = [asMap(left) ?? {}, asMap(right) ?? {}];
  const result: JsonMap = {};
  for (const key of new Set([...Object.keys(lefts), ...Object.keys(rights)])) {
    const type = typeAt(map, key);
    const value = type && merge(getOwn(lefts, key), getOwn(rights, key), type);
    if (value !== undefined) {
      put(result, key, value);
    }
  }
  return Object.keys(result).length > 0 ? result : undefined;
}

interface Items {
  readonly elements: readonly PathElement[];
  /** The item of each element; null for duplicate items, which are not merged. */
  readonly itemByElement: ReadonlyMap<PathElement, unknown>;
}

/** Mirrors `visitListItems` (structured-merge-diff v6.3.3, typed/merge.go). */
function mergeItems(leftList: readonly unknown[], rightList: readonly unknown[], list: ListAtom): unknown[] | undefined {
  const [lefts, rights] = [indexItems(leftList, list), indexItems(rightList, list)];
  const result: unknown[] = [];
  const mergeItem = (left: unknown, right: unknown) => {
    const value = merge(left, right, list.element);
    if (value !== undefined) {
      result.push(value);
    }
  };
  const sharedElements = rights.elements.filter((element) => lefts.itemByElement.has(element));
  const mergedElements = new Set<PathElement>();
  let nextShared = 0;
  let [left, right] = [0, 0];
  while (left < lefts.elements.length || right < rights.elements.length) {
    const [leftElement, rightElement] = [lefts.elements[left], rights.elements[right]];
    const isShared = leftElement !== undefined && rights.itemByElement.has(leftElement);
    if (leftElement !== undefined && leftElement !== rightElement) {
      if (!isShared) {
        mergeItem(leftList[left], undefined);
        left += 1;
        continue;
      }
      if (rightElement !== undefined && nextShared < sharedElements.length && sharedElements[nextShared] !== leftElement) {
        left += 1;
        continue;
      }
      left += mergedElements.has(leftElement) ? 1 : 0;
    }
    if (rightElement !== undefined) {
      mergedElements.add(rightElement);
      mergeItem(lefts.itemByElement.get(rightElement), rights.itemByElement.get(rightElement));
      left += leftElement === rightElement ? 1 : 0;
      right += 1;
      nextShared += leftElement === rightElement || sharedElements[nextShared] === rightElement ? 1 : 0;
    }
  }
  return result.length > 0 ? result : undefined;
}

function indexItems(items: readonly unknown[], list: ListAtom): Items {
  const elements: PathElement[] = [];
  const itemByElement = new Map<PathElement, unknown>();
  for (const item of items) {
    const identity = identify(list, item);
    if ('element' in identity) {
      itemByElement.set(identity.element, itemByElement.has(identity.element) ? null : item);
      elements.push(identity.element);
    }
  }
  return { elements, itemByElement };
}
