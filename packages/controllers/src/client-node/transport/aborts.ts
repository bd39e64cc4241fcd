/** Callbacks of abort signals. */
export interface Aborts {
  /** @returns a function that removes the callback */
  on(signal: AbortSignal, callback: () => void): () => void;
}

/**
 * Adds one listener per signal, however many requests share it: Node.js warns of a leak above ten listeners. Removes the listener when no
 * callback is left, because a signal made by AbortSignal.any lives as long as it has listeners.
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
