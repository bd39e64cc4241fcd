/** A field named __proto__ is one like any other, and must not become the prototype. */
export function setField(target: Record<string, unknown>, name: string, value: unknown): void {
  if (name === '__proto__') Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
  else target[name] = value;
}

/** A copy with another value of a field; undefined takes it away. */
export function withField<T extends object>(object: T, name: string, value: unknown): T {
  const copy: Record<string, unknown> = {};
  for (const [key, each] of Object.entries(object)) if (key !== name) setField(copy, key, each);
  if (value !== undefined) setField(copy, name, value);
  return copy as T;
}
