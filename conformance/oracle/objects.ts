interface NamedObject {
  readonly metadata?: { readonly name?: string | null | undefined; readonly namespace?: string | null | undefined } | null | undefined;
}

/** Keeps the first object of each name and namespace, because randomly changed names may collide. */
export function keepFirstPerName<T extends NamedObject>(objects: readonly T[]): T[] {
  const names = new Set<string>();
  return objects.filter(({ metadata }) => {
    const name = `${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`;
    return !names.has(name) && names.add(name);
  });
}
