import type { Resource } from 'kube-endpoints/port';

/** What a process knew at some moment: for each resource, everything up to a version. */
export type View<Name extends string = string> = Readonly<Record<Name, number>>;

/** The sequence of views of a process. */
export interface Views<Name extends string> {
  readonly newest: View<Name>;
  /** The caches that were never complete. */
  readonly missing: readonly Name[];
  sees(resource: Resource, version: number): void;
  /** Starts a piece of work, whose results depend on views from now on. */
  begins(work: string): void;
  /** The views since a piece of work began, oldest first. */
  since(work: string): readonly View<Name>[];
  /** The possible views at this moment, because a new event may not be in the cache yet. */
  now(): readonly View<Name>[];
}

/** @param names the plurals of the resources */
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
