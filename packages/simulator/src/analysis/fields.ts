import { parseDuration } from 'kube-endpoints/internal/apimachinery';

/**
 * Checks a field and returns its value.
 * @param path the field, for example "steps[2].at"
 * @throws RangeError naming the field and what it accepts
 */
export type Read<T> = (path: string, value: unknown) => T;

const reject = (path: string, fix: string): never => {
  throw new RangeError(`${path}: give ${fix}`);
};

/** @param example what the field may contain, for example "a name such as web" */
export const text =
  (example: string): Read<string> =>
  (path, value) =>
    typeof value === 'string' && value !== '' ? value : reject(path, example);

export const oneOf =
  <T extends string>(...values: readonly T[]): Read<T> =>
  (path, value) =>
    values.includes(value as T) ? (value as T) : reject(path, values.join(', '));

export const boolean: Read<boolean> = (path, value) => (typeof value === 'boolean' ? value : reject(path, 'true or false'));

export const wholeNumber =
  (min: number, max: number): Read<number> =>
  (path, value) =>
    Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max
      ? (value as number)
      : reject(path, `a whole number from ${min} to ${max}`);

/** The longest time of a scenario, in milliseconds. */
export const maxTimeMs: number = 6 * 3_600_000;

/** A time such as "1m30s", in milliseconds. */
export const time: Read<number> = (path, value) => {
  const milliseconds = value === 0 ? 0 : typeof value === 'string' ? parseTime(value) : undefined;
  return milliseconds !== undefined && milliseconds >= 0 && milliseconds <= maxTimeMs
    ? Math.round(milliseconds)
    : reject(path, 'a time such as 30s or 1m30s, of at most 6h');
};

function parseTime(value: string): number | undefined {
  try {
    return parseDuration(value);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

export const list =
  <T>(read: Read<T>, max: number): Read<readonly T[]> =>
  (path, value) => {
    if (!Array.isArray(value)) return reject(path, 'a list');
    return value.length <= max ? value.map((item, i) => read(`${path}[${i}]`, item)) : reject(path, `at most ${max} items`);
  };

/** A single value stands for a list of one. */
export const oneOrMore =
  <T>(read: Read<T>, max: number): Read<readonly T[]> =>
  (path, value) => {
    if (!Array.isArray(value)) return [read(path, value)];
    return value.length > 0 ? list(read, max)(path, value) : reject(path, 'at least one item');
  };

export const optional =
  <T>(read: Read<T>): Read<T | undefined> =>
  (path, value) =>
    value === undefined ? undefined : read(path, value);

/** A map with any text as keys. */
export const mapOf =
  <T>(read: Read<T>): Read<Readonly<Record<string, T>>> =>
  (path, value) =>
    Object.fromEntries(
      Object.entries(isMap(value) ? value : reject(path, 'a map')).map(([key, item]) => [key, read(`${path}.${key}`, item)]),
    );

export type Fields = Readonly<Record<string, Read<unknown>>>;

export type ValuesOf<F extends Fields> = { readonly [Name in keyof F]: ReturnType<F[Name]> };

/** A map with these fields only. */
export const record =
  <F extends Fields>(fields: F): Read<ValuesOf<F>> =>
  (path, value) => {
    const names = Object.keys(fields);
    if (!isMap(value)) return reject(path, `a map with ${names.join(', ')}`);
    const join = (name: string): string => (path === '' ? name : `${path}.${name}`);
    for (const name of Object.keys(value))
      if (!names.includes(name)) throw new RangeError(`${join(name)} is unknown: give ${names.join(', ')}`);
    const values = names.map((name) => [name, (fields[name] as Read<unknown>)(join(name), value[name])] as const);
    return Object.fromEntries(values.filter(([, field]) => field !== undefined)) as ValuesOf<F>;
  };

export const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The single field of a map whose name is one of the rows, besides other fields. @throws RangeError unless there is exactly one */
export function findOnly<Name extends string>(path: string, value: Readonly<Record<string, unknown>>, rows: readonly Name[]): Name {
  const found = rows.filter((name) => value[name] !== undefined);
  return found.length === 1 ? (found[0] as Name) : reject(path, `one of ${rows.join(', ')}`);
}
