import { type Resource, resources } from '../../../src/port/index.ts';
import type { ControllerName } from '../../../src/runtime/happening.ts';

/** What a replica knew at some moment: of each resource, all up to a version. */
export interface View {
  readonly services: number;
  readonly pods: number;
  readonly nodes: number;
  readonly endpoints: number;
  readonly endpointslices: number;
}

/** What a replica has known, one after another. */
export interface Views {
  sees(resource: Resource, version: number): void;
  /** A controller begins to work on a key: what it makes of it, it makes of what is known from now on. */
  begins(controller: ControllerName, key: string): void;
  /** What has been known since then, the newest first; nothing where a cache has never been complete. */
  since(controller: ControllerName, key: string): IterableIterator<View>;
  /** What it knows now. */
  readonly newest: View;
  readonly missing: readonly string[];
}

const needed: readonly (keyof View)[] = [
  resources.services.plural,
  resources.pods.plural,
  resources.nodes.plural,
  resources.endpoints.plural,
  resources.endpointSlices.plural,
] as never;

export function createViews(clock: { readonly turns: number }): Views {
  const views: View[] = [];
  const turns: number[] = [];
  const begun = new Map<string, number>();
  let newest: View = { services: -1, pods: -1, nodes: -1, endpoints: -1, endpointslices: -1 };
  return {
    get newest() {
      return newest;
    },
    get missing() {
      return needed.filter((name) => newest[name] < 0);
    },
    sees({ plural }, version) {
      if (!(plural in newest) || newest[plural as keyof View] === version) return;
      newest = { ...newest, [plural]: version };
      views.push(newest);
      turns.push(clock.turns);
    },
    begins(controller, key) {
      // what arrives now may not be in the cache yet
      let at = views.length - 1;
      while (at > 0 && turns[at] === clock.turns) at -= 1;
      begun.set(`${controller} ${key}`, Math.max(0, at));
    },
    *since(controller, key) {
      const first = begun.get(`${controller} ${key}`) ?? 0;
      for (let at = views.length - 1; at >= first; at--) yield views[at] as View;
    },
  };
}
