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
  const listened = new WeakMap<AbortSignal, SignalListeners>();
  return {
    on(signal, callback) {
      const { waiting, callAll } = listened.get(signal) ?? listen(listened, signal);
      waiting.add(callback);
      return () => {
        if (!waiting.delete(callback) || waiting.size > 0) return;
        signal.removeEventListener('abort', callAll);
        listened.delete(signal);
      };
    },
  };
}

interface SignalListeners {
  readonly waiting: Set<() => void>;
  readonly callAll: () => void;
}

function listen(listened: WeakMap<AbortSignal, SignalListeners>, signal: AbortSignal): SignalListeners {
  const waiting = new Set<() => void>();
  const callAll = (): void => {
    for (const callback of [...waiting]) callback();
  };
  signal.addEventListener('abort', callAll);
  const entry = { waiting, callAll };
  listened.set(signal, entry);
  return entry;
}
