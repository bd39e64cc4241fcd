import type { Resource } from 'kube-endpoints/port';

/** What a process knew at some moment: of each resource, all up to a version. */
export type View<Name extends string = string> = Readonly<Record<Name, number>>;

/** What a process has known, one after another. */
export interface Views<Name extends string> {
  readonly newest: View<Name>;
  /** The caches that have not been complete yet. */
  readonly missing: readonly Name[];
  sees(resource: Resource, version: number): void;
  /** A piece of work begins: what comes of it comes of what is known from now on. */
  begins(work: string): void;
  /** What has been known since then, the oldest first. */
  since(work: string): readonly View<Name>[];
  /** What is known at this moment: what arrives now may not be in the cache yet. */
  now(): readonly View<Name>[];
}

/** @param names the resources that matter, by their plurals */
export function createViews<Name extends string>(clock: { readonly turns: number }, names: readonly Name[]): Views<Name> {
  const views = [Object.fromEntries(names.map((name) => [name, -1])) as View<Name>];
  const turns = [clock.turns];
  const begun = new Map<string, number>();
  const newest = (): View<Name> => views.at(-1) as View<Name>;
  const beforeThisTurn = (): number => {
    let at = views.length - 1;
    while (at > 0 && turns[at] === clock.turns) at -= 1;
    return at;
  };
  return {
    get newest() {
      return newest();
    },
    get missing() {
      return names.filter((name) => newest()[name] < 0);
    },
    sees({ plural }, version) {
      if (!(plural in newest()) || newest()[plural as Name] === version) return;
      views.push({ ...newest(), [plural]: version });
      turns.push(clock.turns);
    },
    begins: (work) => void begun.set(work, beforeThisTurn()),
    since: (work) => views.slice(begun.get(work) ?? 0),
    now: () => views.slice(beforeThisTurn()),
  };
}
