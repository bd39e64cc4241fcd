/** Objects by something that several of them share. */
export interface Index<T> {
  get(group: string): Iterable<T>;
}

/** Who tells of objects that come and go, those that are there first. */
export interface Source<T> {
  listen(listener: (event: { readonly type: string; readonly object: T; readonly old?: T | undefined }, key: string) => void): unknown;
}

/** @param groupsOf what an object is to be found by */
export function createIndex<T>(source: Source<T>, groupsOf: (object: T) => readonly string[]): Index<T> {
  const groups = new Map<string, Map<string, T>>();
  const remove = (key: string, object: T): void => {
    for (const name of groupsOf(object)) {
      const group = groups.get(name);
      group?.delete(key);
      if (group?.size === 0) groups.delete(name);
    }
  };
  const add = (key: string, object: T): void => {
    for (const name of groupsOf(object)) {
      const group = groups.get(name);
      if (group) group.set(key, object);
      else groups.set(name, new Map([[key, object]]));
    }
  };
  source.listen(({ type, object, old }, key) => {
    remove(key, old ?? object);
    if (type !== 'deleted') add(key, object);
  });
  return { get: (name) => groups.get(name)?.values() ?? [] };
}

/** Objects that are all there and stay as they are. */
export const sourceOf = <T>(objects: readonly T[]): Source<T> => ({
  listen(listener) {
    for (const [key, object] of objects.entries()) listener({ type: 'added', object }, String(key));
  },
});
