/** Several values a key. */
export interface MultiMap<T> {
  add(key: string, value: T): void;
  remove(key: string, value: T): void;
  /** In the order in which they came. */
  get(key: string): Iterable<T>;
}

export function createMultiMap<T>(): MultiMap<T> {
  // A set for each key would cost more than what it holds: most keys have one value.
  const values = new Map<string, T | Set<T>>();
  return {
    add(key, value) {
      const held = values.get(key);
      if (held === undefined) values.set(key, value);
      else if (held instanceof Set) held.add(value);
      else if (held !== value) values.set(key, new Set([held, value]));
    },
    remove(key, value) {
      const held = values.get(key);
      if (held === value) values.delete(key);
      else if (held instanceof Set) {
        held.delete(value);
        if (held.size === 0) values.delete(key);
      }
    },
    get(key) {
      const held = values.get(key);
      if (held === undefined) return [];
      return held instanceof Set ? held : [held];
    },
  };
}
