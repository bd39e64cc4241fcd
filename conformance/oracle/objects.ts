interface Named {
  readonly metadata?: { readonly name?: string | null | undefined; readonly namespace?: string | null | undefined } | null | undefined;
}

/** No two objects of a kind have one name in a namespace: the first of each. What changes names at random may bring about others. */
export function onePerName<T extends Named>(objects: readonly T[]): T[] {
  const seen = new Set<string>();
  return objects.filter(({ metadata }) => {
    const name = `${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`;
    return !seen.has(name) && seen.add(name);
  });
}
