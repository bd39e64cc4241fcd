/** First in, first out. Both ends cost the same however long it is, and what has gone out is held on to no longer. */
export interface Fifo<T> {
  readonly length: number;
  push(value: T): void;
  /** The one that has been in for longest, which is out now. */
  shift(): T | undefined;
  clear(): void;
}

interface Link<T> {
  readonly value: T;
  next: Link<T> | undefined;
}

export function createFifo<T>(): Fifo<T> {
  let first: Link<T> | undefined;
  let last: Link<T> | undefined;
  let length = 0;
  return {
    get length() {
      return length;
    },
    push(value) {
      const link: Link<T> = { value, next: undefined };
      if (last) last.next = link;
      else first = link;
      last = link;
      length++;
    },
    shift() {
      if (!first) return undefined;
      const { value, next } = first;
      // A link that has grown old would keep all that came after it from being collected.
      first.next = undefined;
      first = next;
      if (!next) last = undefined;
      length--;
      return value;
    },
    clear() {
      first = undefined;
      last = undefined;
      length = 0;
    },
  };
}
