import { createDeque } from 'kube-endpoints/internal';

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
  const waiting = createDeque<Item>();
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

/** Where workers stand in line for keys. */
export interface Desk {
  /** The next key as soon as there is one; undefined once there will be none. */
  take(): Promise<string | undefined>;
  /** Says that there is a key. */
  call(): void;
  /** Says that there will be none but those that are there. */
  close(): void;
}

/**
 * Those who came first are served first. A key is handed to one who stands in line only when everything has run that is running at the
 * moment, so that one which is added several times at a stroke is worked on once.
 */
export function createDesk(next: () => string | undefined): Desk {
  const line = createDeque<(key: string | undefined) => void>();
  let closed = false;
  let called = false;
  const serve = (): void => {
    called = false;
    while (line.length > 0) {
      const key = next();
      if (key === undefined && !closed) return;
      line.shift()?.(key);
    }
  };
  const call = (): void => {
    if (called || line.length === 0) return;
    called = true;
    void Promise.resolve().then(serve);
  };
  return {
    take() {
      const key = line.length === 0 ? next() : undefined;
      if (key !== undefined || (closed && line.length === 0)) return Promise.resolve(key);
      return new Promise((resolve) => line.push(resolve));
    },
    call,
    close() {
      closed = true;
      call();
    },
  };
}
