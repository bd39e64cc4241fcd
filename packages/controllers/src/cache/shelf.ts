import type { ApiObjectMeta } from 'kube-endpoints/port';

/** What tells which object a projection was made of, and which version of it. */
export type Mark = Pick<ApiObjectMeta, 'uid' | 'resourceVersion'>;

/** Projected objects by key. */
export interface Shelf<T> {
  readonly objects: ReadonlyMap<string, T>;
  keep(key: string, object: T, metadata: Mark): void;
  drop(key: string): void;
  /** What is there of this very object: nothing where another one has the key. */
  known(key: string, metadata: Mark): Known<T> | undefined;
  uidOf(key: string): string | undefined;
}

export interface Known<T> {
  readonly object: T;
  /** Whether it was made of this very version. */
  readonly current: boolean;
}

/** Makes an empty shelf. Projections mostly carry uid and resourceVersion themselves; of the others, these are kept beside them. */
export function createShelf<T>(): Shelf<T> {
  const objects = new Map<string, T>();
  const marks = new Map<string, Mark>();
  const markOf = (key: string, object: T | undefined): Mark | undefined => (marks.size > 0 ? marks.get(key) : undefined) ?? ownMark(object);
  return {
    objects,
    keep(key, object, { uid, resourceVersion }) {
      objects.set(key, object);
      const own = ownMark(object);
      if (own && own.uid === uid && own.resourceVersion === resourceVersion) marks.delete(key);
      else marks.set(key, { ...(uid !== undefined && { uid }), ...(resourceVersion !== undefined && { resourceVersion }) });
    },
    drop(key) {
      objects.delete(key);
      marks.delete(key);
    },
    known(key, { uid, resourceVersion }) {
      const object = objects.get(key);
      if (object === undefined) return undefined;
      const mark = markOf(key, object);
      if (mark?.uid !== uid) return undefined;
      // A version that is not told says nothing.
      return { object, current: !!resourceVersion && mark?.resourceVersion === resourceVersion };
    },
    uidOf: (key) => markOf(key, objects.get(key))?.uid,
  };
}

const ownMark = (object: unknown): Mark | undefined =>
  typeof object === 'object' && object !== null ? ((object as { readonly metadata?: Mark | null }).metadata ?? undefined) : undefined;
