/** Those who want to know that an ownership may have changed. */
export interface ChangeListeners {
  /** Returns how to stop. */
  add(listener: () => void): () => void;
  call(): void;
}

export function createChangeListeners(): ChangeListeners {
  const all = new Map<symbol, () => void>();
  return {
    add(listener) {
      const id = Symbol();
      all.set(id, listener);
      return () => {
        all.delete(id);
      };
    },
    call() {
      for (const listener of [...all.values()]) listener();
    },
  };
}
