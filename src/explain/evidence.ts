/** A field that proves a cause, and its value. */
export interface Evidence {
  /** "Pod shop/web-1" */
  readonly object: string;
  /** "status.conditions[Ready].status" */
  readonly path: string;
  /** As JSON; "absent" if the object does not have the field. Long values are cut. */
  readonly value: string;
}

/** Reads a field. Brackets select an item of a list by index, type or name, or a quoted key: `status.conditions[Ready].status`. */
export function readPath(object: unknown, path: string): unknown {
  let value = object;
  for (const [, name, quoted, item] of path.matchAll(/\.?([^.[\]]+)|\[(?:"((?:[^"\\]|\\.)*)"|([^\]]*))\]/g)) {
    const key = name ?? (quoted === undefined ? item : (JSON.parse(`"${quoted}"`) as string));
    if (typeof value !== 'object' || value === null || key === undefined) return undefined;
    value = Array.isArray(value) ? findItem(value, key) : Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined;
  }
  return value;
}

const findItem = (list: readonly unknown[], key: string): unknown =>
  /^\d+$/.test(key)
    ? list[Number(key)]
    : list.find((item) => typeof item === 'object' && item !== null && Object.values(item).slice(0, maxKeyFields).includes(key));

/** The type or name of an item is one of its first fields. */
const maxKeyFields = 8;

/** In characters. */
const maxValueLength = 200;

export function createEvidence(object: string, path: string, root: unknown): Evidence {
  const value = readPath(root, path);
  const text = value === undefined ? 'absent' : JSON.stringify(value);
  return { object, path, value: text.length > maxValueLength ? `${text.slice(0, maxValueLength)}…` : text };
}
