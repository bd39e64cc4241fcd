import type { Resource } from 'kube-endpoints/port';

/** The state of the caches of a process: for each resource, the version up to which all changes are cached, or -1 before the first list. */
export type View<Name extends string = string> = Readonly<Record<Name, number>>;

/** The views of a process, oldest first. */
export interface Views<Name extends string> {
  readonly newest: View<Name>;
  /** The resources whose caches were never complete. */
  readonly missingCaches: readonly Name[];
  /** Adds a view in which the cache of the resource is complete up to the version. */
  add(resource: Pick<Resource, 'plural'>, version: number): void;
  /** Starts a piece of work: its results depend on the views from now on. */
  startWork(work: string): void;
  /** The views since a piece of work began, oldest first. */
  sinceStart(work: string): readonly View<Name>[];
  /** The possible views at this moment, because a new event may not be in the cache yet. */
  possibleViews(): readonly View<Name>[];
}

/** @param names the plurals of the resources */
export function createViews<Name extends string>(clock: { readonly executedActions: number }, names: readonly Name[]): Views<Name> {
  const views = [Object.fromEntries(names.map((name) => [name, -1])) as View<Name>];
  const actionNumbersOfViews = [clock.executedActions];
  const startIndexes = new Map<string, number>();
  const newest = (): View<Name> => views.at(-1) as View<Name>;
  const indexBeforeAction = (): number => {
    let index = views.length - 1;
    while (index > 0 && actionNumbersOfViews[index] === clock.executedActions) index -= 1;
    return index;
  };
  return {
    get newest() {
      return newest();
    },
    get missingCaches() {
      return names.filter((name) => newest()[name] < 0);
    },
    add({ plural }, version) {
      if (!(plural in newest()) || newest()[plural as Name] === version) return;
      views.push({ ...newest(), [plural]: version });
      actionNumbersOfViews.push(clock.executedActions);
    },
    startWork: (work) => void startIndexes.set(work, indexBeforeAction()),
    sinceStart: (work) => views.slice(startIndexes.get(work) ?? 0),
    possibleViews: () => views.slice(indexBeforeAction()),
  };
}
