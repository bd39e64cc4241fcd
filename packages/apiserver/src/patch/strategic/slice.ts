import { panicked } from '../errors.ts';

/**
 * A list that shares its memory with another, as slices do in Go. Strategic merge patches have consequences that only this explains:
 * what is deleted from a list and appended to it can be seen through the list that says which order things had.
 */
export interface Slice {
  memory: unknown[];
  length: number;
  /** Whether somebody else looks at the memory. It stays shared until there is no room in it for another item. */
  isShared: boolean;
}

export const sliceOf = (memory: unknown[]): Slice => ({ memory, length: memory.length, isShared: true });

export const items = ({ memory, length }: Slice): unknown[] => memory.slice(0, length);

/**
 * Removes items in turn, each by moving what follows into its place. So the memory behind the new end shows, for each removal, what
 * was the last item before it.
 */
export function removeInTurn(slice: Slice, places: readonly number[]): void {
  const before = items(slice);
  const gone = new Set<number>();
  const left: unknown[] = [];
  let last = before.length - 1;
  for (const place of places) {
    left.push(before[last]);
    gone.add(place);
    while (gone.has(last)) {
      last -= 1;
    }
  }
  const kept = before.filter((_, place) => !gone.has(place));
  for (const [place, item] of [...kept, ...left.reverse()].entries()) {
    slice.memory[place] = item;
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

/** A value that items can be told apart by. Go panics where it has to compare lists or objects. */
export function comparable(value: unknown): unknown {
  if (typeof value === 'object' && value !== null) {
    throw panicked();
  }
  return value ?? null;
}
