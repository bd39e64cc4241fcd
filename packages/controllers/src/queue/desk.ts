import { createFifo } from './fifo.ts';

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
  const line = createFifo<(key: string | undefined) => void>();
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
