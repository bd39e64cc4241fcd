import { panicked } from '../errors.ts';

/**
 * A list that shares its backing array with another, like a slice in Go. Some results of strategic merge patches depend on it: deletions
 * and appends are visible in the list that determines the order.
 */
export interface Slice {
  memory: unknown[];
  length: number;
  /** Another list uses the array. It stays shared until an append exceeds its capacity. */
  isShared: boolean;
}

export const sliceOf = (memory: unknown[]): Slice => ({ memory, length: memory.length, isShared: true });

export const items = ({ memory, length }: Slice): unknown[] => memory.slice(0, length);

/**
 * Removes items one by one, each by shifting the following ones. For each removal, the array behind the new end therefore contains the
 * previous last item.
 */
export function removeOneByOne(slice: Slice, positions: readonly number[]): void {
  const before = items(slice);
  const gone = new Set<number>();
  const left: unknown[] = [];
  let last = before.length - 1;
  for (const position of positions) {
    left.push(before[last]);
    gone.add(position);
    while (gone.has(last)) {
      last -= 1;
    }
  }
  const kept = before.filter((_, position) => !gone.has(position));
  for (const [position, item] of [...kept, ...left.reverse()].entries()) {
    slice.memory[position] = item;
  }
  slice.length = kept.length;
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
export function comparable(value: unknown): unknown {
  if (typeof value === 'object' && value !== null) {
    throw panicked();
  }
  return value ?? null;
}
