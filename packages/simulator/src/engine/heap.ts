/** A binary heap: its first element is the smallest one. */
export interface Heap<T> {
  push(element: T): void;
  /** The first element; undefined if the heap is empty. */
  peek(): T | undefined;
  /** Removes the first element. */
  pop(): void;
}

export function createHeap<T>(isBefore: (a: T, b: T) => boolean): Heap<T> {
  const elements: T[] = [];
  const at = (index: number): T => elements[index] as T;
  const smallerChild = (index: number): number => {
    const left = 2 * index + 1;
    return left + 1 < elements.length && isBefore(at(left + 1), at(left)) ? left + 1 : left;
  };
  return {
    peek: () => elements[0],
    push(element) {
      let index = elements.length;
      for (let parent = (index - 1) >> 1; index > 0 && isBefore(element, at(parent)); parent = (index - 1) >> 1) {
        elements[index] = at(parent);
        index = parent;
      }
      elements[index] = element;
    },
    pop() {
      const last = elements.pop();
      if (last === undefined || elements.length === 0) return;
      let index = 0;
      for (let child = smallerChild(0); child < elements.length && isBefore(at(child), last); child = smallerChild(index)) {
        elements[index] = at(child);
        index = child;
      }
      elements[index] = last;
    },
  };
}
