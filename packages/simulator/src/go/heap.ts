/** A heap as Go's container/heap, because it defines the order of elements that are equal. */
export interface Heap<T> {
  push(element: T): void;
  /** Has no effect if the element is not there. */
  delete(element: T): void;
  peek(): T | undefined;
  pop(): T | undefined;
}

export function createHeap<T>(isLess: (a: T, b: T) => boolean): Heap<T> {
  const items: T[] = [];
  const swap = (a: number, b: number): void => {
    [items[a], items[b]] = [items[b] as T, items[a] as T];
  };
  const lessAt = (a: number, b: number): boolean => isLess(items[a] as T, items[b] as T);
  const up = (start: number): void => {
    for (let index = start; index > 0; ) {
      const parent = Math.floor((index - 1) / 2);
      if (!lessAt(index, parent)) return;
      swap(index, parent);
      index = parent;
    }
  };
  const down = (start: number, length: number): void => {
    for (let index = start; 2 * index + 1 < length; ) {
      const left = 2 * index + 1;
      const child = left + 1 < length && lessAt(left + 1, left) ? left + 1 : left;
      if (!lessAt(child, index)) return;
      swap(index, child);
      index = child;
    }
  };
  const removeAt = (index: number): T => {
    const last = items.length - 1;
    swap(index, last);
    down(index, last);
    if (index < last) up(index);
    return items.pop() as T;
  };
  return {
    push(element) {
      items.push(element);
      up(items.length - 1);
    },
    delete(element) {
      const index = items.indexOf(element);
      if (index >= 0) removeAt(index);
    },
    peek: () => items[0],
    pop: () => (items.length > 0 ? removeAt(0) : undefined),
  };
}
