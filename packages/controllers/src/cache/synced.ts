/** What opens once, for everybody who waits and who comes later. */
export interface Synced {
  readonly isOpen: boolean;
  open(): void;
  /** Resolves once it is open. @throws the signal's reason */
  passed(signal?: AbortSignal): Promise<void>;
}

export function createSynced(): Synced {
  const waiting = new Set<() => void>();
  let isOpen = false;
  return {
    get isOpen() {
      return isOpen;
    },
    open() {
      if (isOpen) return;
      isOpen = true;
      for (const pass of waiting) pass();
      waiting.clear();
    },
    passed(signal) {
      if (isOpen) return Promise.resolve();
      if (signal?.aborted) return Promise.reject(signal.reason);
      return new Promise((resolve, reject) => {
        const onAbort = (): void => {
          waiting.delete(pass);
          reject(signal?.reason);
        };
        const pass = (): void => {
          signal?.removeEventListener('abort', onAbort);
          resolve();
        };
        waiting.add(pass);
        signal?.addEventListener('abort', onAbort, { once: true });
      });
    },
  };
}
