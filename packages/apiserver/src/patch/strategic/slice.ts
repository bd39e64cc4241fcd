import { createPanicError } from '../errors.ts';

/**
 * A list that shares its backing array with another, like a slice in Go. Some results of strategic merge patches depend on this: a deletion
 * or append in one list also changes the other.
 */
export interface Slice {
  memory: unknown[];
  length: number;
  /** Whether another list uses the array, which stays shared until an append exceeds its capacity. */
  isShared: boolean;
}

export const createSlice = (memory: unknown[]): Slice => ({ memory, length: memory.length, isShared: true });

export const items = ({ memory, length }: Slice): unknown[] => memory.slice(0, length);

/**
 * Removes items one by one; each removal shifts the following items, as append(s[:i], s[i+1:]...) does in Go. So each
 * removal leaves a copy of the item that was last before it in the array, after the new end of the list.
 */
export function removeOneByOne(slice: Slice, positions: readonly number[]): void {
  const oldItems = items(slice);
  const removedPositions = new Set<number>();
  const trailingItems: unknown[] = [];
  let last = oldItems.length - 1;
  for (const position of positions) {
    trailingItems.push(oldItems[last]);
    removedPositions.add(position);
    while (removedPositions.has(last)) {
      last -= 1;
    }
  }
  const remaining = oldItems.filter((_, position) => !removedPositions.has(position));
  for (const [position, item] of [...remaining, ...trailingItems.reverse()].entries()) {
    slice.memory[position] = item;
  }
  slice.length = remaining.length;
}

export function append(slice: Slice, item: unknown): void {
  if (slice.isShared && slice.length === slice.memory.length) {
    slice.memory = [...slice.memory];
    slice.isShared = false;
  }
  slice.memory[slice.length] = item;
  slice.length += 1;
}

/** A value usable as a map key. Lists and objects, on which Go panics, are refused. @throws ApiError */
export function toComparable(value: unknown): unknown {
  if (typeof value === 'object' && value !== null) throw createPanicError();
  return value ?? null;
}
