/** Reads fields of objects that came from anywhere; what is of the wrong type is an error that names the field. */
export interface FieldReader {
  /** Empty where the field is absent. */
  text(value: unknown, path: string): string;
  /** Empty where the field is absent; an item that is null is an empty one. */
  list<T extends object>(value: unknown, path: string): readonly T[];
  texts(value: unknown, path: string): readonly string[];
  number(value: unknown, path: string): number | undefined;
}

/** The object's key: "shop/web", or the name alone. */
export interface ObjectName {
  readonly name: string;
  readonly namespace: string;
  readonly key: string;
}

/** @throws TypeError where the object has no name, or a field of the wrong type */
export function readName(kind: string, object: unknown, namespaced = true): ObjectName {
  const metadata = isObject(object) ? object['metadata'] : undefined;
  const { name, namespace } = isObject(metadata) ? metadata : {};
  if (typeof name !== 'string' || name === '') throw new TypeError(`${kind}: metadata.name is ${show(name)}: give it a name`);
  if (!namespaced) return { name, namespace: '', key: name };
  if (typeof namespace === 'string' && namespace !== '') return { name, namespace, key: `${namespace}/${name}` };
  throw new TypeError(`${kind} ${name}: metadata.namespace is ${show(namespace)}: give it a namespace`);
}

export function fieldsOf(kind: string, key: string): FieldReader {
  const refuse = (value: unknown, path: string, wanted: string): never => {
    throw new TypeError(`${kind} ${key}: ${path} is ${show(value)}: give ${wanted}`);
  };
  const list = (value: unknown, path: string): readonly unknown[] => {
    if (value === undefined || value === null) return [];
    return Array.isArray(value) ? value : refuse(value, path, 'a list');
  };
  const text = (value: unknown, path: string): string => {
    if (value === undefined || value === null) return '';
    return typeof value === 'string' ? value : refuse(value, path, 'a text');
  };
  return {
    text,
    list: <T extends object>(value: unknown, path: string) =>
      list(value, path).map((item, i) => {
        if (item === undefined || item === null) return {} as T;
        return isObject(item) ? (item as T) : refuse(item, `${path}[${i}]`, 'an object');
      }),
    texts: (value, path) => list(value, path).map((item, i) => text(item, `${path}[${i}]`)),
    number: (value, path) => {
      if (value === undefined || value === null) return undefined;
      return typeof value === 'number' && Number.isInteger(value) ? value : refuse(value, path, 'a whole number');
    },
  };
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const show = (value: unknown): string => (value === undefined ? 'missing' : (JSON.stringify(value)?.slice(0, 60) ?? typeof value));
