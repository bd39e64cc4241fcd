/** Who is to be told when signals are aborted. */
export interface Aborts {
  /** @returns how to forget the callback */
  on(signal: AbortSignal, callback: () => void): () => void;
}

/**
 * Listens to each signal once, however many requests share it: Node.js takes more than ten listeners for a leak, and says so. Where nobody
 * waits any more it does not listen either, for a signal made of others lives as long as it is listened to.
 */
export function createAborts(): Aborts {
  const heard = new WeakMap<AbortSignal, Heard>();
  return {
    on(signal, callback) {
      const { waiting, tellAll } = heard.get(signal) ?? listen(heard, signal);
      waiting.add(callback);
      return () => {
        if (!waiting.delete(callback) || waiting.size > 0) return;
        signal.removeEventListener('abort', tellAll);
        heard.delete(signal);
      };
    },
  };
}

interface Heard {
  readonly waiting: Set<() => void>;
  readonly tellAll: () => void;
}

function listen(heard: WeakMap<AbortSignal, Heard>, signal: AbortSignal): Heard {
  const waiting = new Set<() => void>();
  const tellAll = (): void => {
    for (const callback of [...waiting]) callback();
  };
  signal.addEventListener('abort', tellAll);
  const entry = { waiting, tellAll };
  heard.set(signal, entry);
  return entry;
}
