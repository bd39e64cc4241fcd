/** How a queue comes to its end. */
export interface Exit {
  readonly closed: boolean;
  /** Closes it; resolves when all work has ended. */
  close(): Promise<void>;
  /** Says that some work has ended. */
  look(): void;
}

export function createExit(isIdle: () => boolean): Exit {
  const { promise, resolve } = Promise.withResolvers<void>();
  let closed = false;
  /** Not at once: who has done a key may be about to take the next. */
  const lookSoon = async (): Promise<void> => {
    await undefined;
    if (isIdle()) resolve();
  };
  return {
    get closed() {
      return closed;
    },
    close() {
      closed = true;
      void lookSoon();
      return promise;
    },
    look() {
      if (closed) void lookSoon();
    },
  };
}
