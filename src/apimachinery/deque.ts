/** A queue whose elements keep their number for good, whatever is taken from the front. */
export interface Deque<T> {
  /** The number of the oldest element. */
  readonly first: number;
  /** The number that the next element gets. */
  readonly end: number;
  readonly length: number;
  push(element: T): void;
  /** Takes the newest element back. */
  pop(): void;
  /** Removes the oldest element, and keeps no reference to it; undefined if there is none. */
  shift(): T | undefined;
  /** The oldest element. */
  peek(): T | undefined;
  /** @param number from `first` on and below `end` */
  at(number: number): T;
}

/** Below that many dropped elements, closing the gap they leave is not worth a copy. */
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
