import type { Happening } from '../happening.ts';

/** The lists by which one cache is filled. */
export interface Lists {
  /** Takes in what an informer tells of itself. */
  take(happening: Happening): void;
  /** Tells when a list begins, and when the cache shows it. Returns how to stop. */
  listen(listener: ListsListener): () => void;
}

/** A list that has begun may fail; then another one begins. */
export type ListsListener = (what: 'begins' | 'shown') => void;

export function createLists(): Lists {
  const listeners = new Set<ListsListener>();
  let listing = false;
  const tell: ListsListener = (what) => {
    for (const listener of listeners) listener(what);
  };
  return {
    take(happening) {
      // What goes wrong with an object is told as well: the list goes on.
      if (happening.kind !== 'informer' || happening.error !== undefined) return;
      const { state } = happening;
      if (state === 'listing') {
        listing = true;
        tell('begins');
      } else if (state === 'watching' && listing) {
        listing = false;
        tell('shown');
      }
    },
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
