/** A queue. An element keeps its index when older elements are removed. */
export interface Deque<T> {
  /** The index of the oldest element. */
  readonly firstIndex: number;
  /** The index that the next pushed element gets. */
  readonly endIndex: number;
  readonly length: number;
  push(element: T): void;
  /** Removes the newest element. */
  pop(): void;
  /** Removes and returns the oldest element, without keeping a reference to it; undefined if the queue is empty. */
  shift(): T | undefined;
  /** The oldest element; undefined if the queue is empty. */
  peek(): T | undefined;
  /** @param index the index of an element, from `firstIndex` to `endIndex - 1` */
  at(index: number): T;
}

/** The minimum number of removed elements before the array is copied to free their space. */
const minRemovedToCompact = 1024;

export function createDeque<T>(): Deque<T> {
  let elements: (T | undefined)[] = [];
  /** The index of `elements[0]`. */
  let offset = 0;
  /** The position of the oldest element in `elements`. */
  let head = 0;
  return {
    get firstIndex() {
      return offset + head;
    },
    get endIndex() {
      return offset + elements.length;
    },
    push(element) {
      elements.push(element);
    },
    pop() {
      elements.pop();
    },
    get length() {
      return elements.length - head;
    },
    shift() {
      if (head === elements.length) return undefined;
      const oldest = elements[head];
      elements[head] = undefined;
      head += 1;
      if (head >= minRemovedToCompact && head * 2 >= elements.length) {
        elements = elements.slice(head);
        offset += head;
        head = 0;
      }
      return oldest;
    },
    peek: () => elements[head],
    at: (index) => elements[index - offset] as T,
  };
}
