/** A map of bounded size: what was not used for longest is forgotten first. */
export interface Lru<T> {
  readonly size: number;
  /** Using it counts. */
  get(key: string): T | undefined;
  set(key: string, value: T): void;
}

export function createLru<T>(capacity: number): Lru<T> {
  const entries = new Map<string, T>();
  const put = (key: string, value: T): void => {
    entries.delete(key);
    entries.set(key, value);
  };
  return {
    get size() {
      return entries.size;
    },
    get(key) {
      const value = entries.get(key);
      if (value !== undefined) put(key, value);
      return value;
    },
    set(key, value) {
      put(key, value);
      if (entries.size <= capacity) return;
      for (const oldest of entries.keys()) {
        entries.delete(oldest);
        return;
      }
    },
  };
}
