/** Callbacks of abort signals. */
export interface AbortCallbacks {
  /** @returns a function that removes the callback */
  onAbort(signal: AbortSignal, callback: () => void): () => void;
}

/**
 * Adds one listener per signal even if many requests share it, because Node.js warns of a leak above ten listeners. Removes the listener
 * when no callback is left, because a signal made by AbortSignal.any lives as long as it has listeners.
 */
export function createAbortCallbacks(): AbortCallbacks {
  const listenersBySignal = new WeakMap<AbortSignal, SignalListeners>();
  return {
    onAbort(signal, callback) {
      const { callbacks, callAll } = listenersBySignal.get(signal) ?? addListener(listenersBySignal, signal);
      callbacks.add(callback);
      return () => {
        if (!callbacks.delete(callback) || callbacks.size > 0) return;
        signal.removeEventListener('abort', callAll);
        listenersBySignal.delete(signal);
      };
    },
  };
}

interface SignalListeners {
  readonly callbacks: Set<() => void>;
  readonly callAll: () => void;
}

function addListener(listenersBySignal: WeakMap<AbortSignal, SignalListeners>, signal: AbortSignal): SignalListeners {
  const callbacks = new Set<() => void>();
  const callAll = (): void => {
    for (const callback of [...callbacks]) callback();
  };
  signal.addEventListener('abort', callAll);
  const entry = { callbacks, callAll };
  listenersBySignal.set(signal, entry);
  return entry;
}
