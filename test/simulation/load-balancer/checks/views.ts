import type { Resource } from '../../../../src/port/index.ts';

/** What a process has known of the cluster, one after another: of each resource, all up to a version. */
export interface View {
  readonly services: number;
  readonly nodes: number;
}

export interface Views {
  readonly newest: View;
  /** The caches that have not been complete yet. */
  readonly missing: readonly string[];
  sees(resource: Resource, version: number): void;
  /** The work on a key begins: what comes of it comes of what is known from now on. */
  begins(key: string): void;
  /** What has been known since then, the oldest first. */
  since(key: string): readonly View[];
  /** What is known at this moment: what arrives now may not be in the cache yet. */
  now(): readonly View[];
}

export function createViews(clock: { readonly turns: number }): Views {
  const views: View[] = [{ services: -1, nodes: -1 }];
  const turns: number[] = [clock.turns];
  const begun = new Map<string, number>();
  const newest = (): View => views.at(-1) as View;
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
      return Object.entries(newest()).flatMap(([name, version]) => (version < 0 ? [name] : []));
    },
    sees({ plural }, version) {
      if (!(plural in newest()) || newest()[plural as keyof View] === version) return;
      views.push({ ...newest(), [plural]: version });
      turns.push(clock.turns);
    },
    begins: (key) => void begun.set(key, beforeThisTurn()),
    since: (key) => views.slice(begun.get(key) ?? 0),
    now: () => views.slice(beforeThisTurn()),
  };
}
