/** A queue with stable indexes: an element keeps its index when older ones are removed. */
export interface Deque<T> {
  /** The index of the oldest element. */
  readonly first: number;
  /** The index that the next pushed element gets. */
  readonly end: number;
  readonly length: number;
  push(element: T): void;
  /** Removes the newest element. */
  pop(): void;
  /** Removes and returns the oldest element, without keeping a reference to it; undefined if the queue is empty. */
  shift(): T | undefined;
  /** The oldest element; undefined if the queue is empty. */
  peek(): T | undefined;
  /** @param number the index of an element, from `first` to `end - 1` */
  at(number: number): T;
}

/** The minimum number of removed elements before the array is copied to free their space. */
const gap = 1024;

export function createDeque<T>(): Deque<T> {
  let elements: (T | undefined)[] = [];
  let dropped = 0;
  let head = 0;
  return {
    get first() {
      return dropped + head;
    },
    get end() {
      return dropped + elements.length;
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
      if (head >= gap && head * 2 >= elements.length) {
        elements = elements.slice(head);
        dropped += head;
        head = 0;
      }
      return oldest;
    },
    peek: () => elements[head],
    at: (number) => elements[number - dropped] as T,
  };
}
