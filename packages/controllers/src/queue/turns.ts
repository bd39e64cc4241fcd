import { createFifo } from './fifo.ts';

/** Whose turn it is: client-go's queue.go (1.36), with its dirty and processing sets. */
export interface Turns {
  /** How many keys wait, those that are being worked on aside. */
  readonly length: number;
  /** How many keys are to be taken, those included that come again after the work on them. */
  readonly depth: number;
  readonly processing: number;
  /** Says that a key is to be taken. Answers whether that was not known yet. */
  add(key: string, now: number): boolean;
  /** The key whose turn it is, which is being worked on from now on. */
  next(): Turn | undefined;
  /** The work on a key has ended. Answers whether it is waiting again. */
  done(key: string): boolean;
}

export interface Turn {
  readonly key: string;
  /** When it was added. */
  readonly since: number;
}

/** A key that is known is to be taken, or is being worked on, or both; others cost nothing. */
interface Item extends Turn {
  dirty: boolean;
  processing: boolean;
  since: number;
}

export function createTurns(): Turns {
  const items = new Map<string, Item>();
  const waiting = createFifo<Item>();
  let depth = 0;
  let processing = 0;
  return {
    get length() {
      return waiting.length;
    },
    get depth() {
      return depth;
    },
    get processing() {
      return processing;
    },
    add(key, now) {
      const known = items.get(key);
      if (known?.dirty) return false;
      const item = known ?? { key, dirty: true, processing: false, since: now };
      if (!known) items.set(key, item);
      item.dirty = true;
      item.since = now;
      depth++;
      if (!item.processing) waiting.push(item);
      return true;
    },
    next() {
      const item = waiting.shift();
      if (!item) return undefined;
      item.dirty = false;
      item.processing = true;
      depth--;
      processing++;
      return item;
    },
    done(key) {
      const item = items.get(key);
      if (!item?.processing) return false;
      item.processing = false;
      processing--;
      if (item.dirty) waiting.push(item);
      else items.delete(key);
      return item.dirty;
    },
  };
}
