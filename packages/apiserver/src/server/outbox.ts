/**
 * Sends answers together: those of all requests that came in at a time go out when each of them was looked at. To write to a client that
 * sleeps is to wake it, which can take as long as the work on its request; the answers right behind the first one find it awake.
 */
export interface Outbox {
  /** @param write sends an answer, and does not throw */
  put(write: () => void): void;
  /** Sends what waits now. */
  flush(): void;
}

export function createOutbox(): Outbox {
  let waiting: (() => void)[] = [];
  const flush = (): void => {
    const writes = waiting;
    waiting = [];
    for (const write of writes) write();
  };
  return {
    put(write) {
      waiting.push(write);
      if (waiting.length === 1) setImmediate(flush);
    },
    flush,
  };
}
