import { matcherOfLabels, parseLabelSelector } from 'kube-endpoints/internal';
import type { ApiObject } from 'kube-endpoints/port';

/** The selection of a list or watch. */
export interface Scope {
  readonly namespace?: string;
  readonly labelSelector?: string;
}

/** An expected watch event: "MODIFIED ns/a@7 x=1". */
export interface Said {
  readonly revision: number;
  readonly text: string;
}

/** A reference model that keeps every revision, without compaction or optimizations. */
export interface Model {
  readonly revision: number;
  has(namespace: string, name: string): boolean;
  put(namespace: string, name: string, labels: Readonly<Record<string, string>>): void;
  remove(namespace: string, name: string): void;
  /** The selected objects at a revision, in order. */
  at(revision: number, scope: Scope): string[];
  /** The events after a revision for a selection. */
  since(revision: number, scope: Scope): Said[];
}

type World = ReadonlyMap<string, ApiObject>;

export function createModel(first: number): Model {
  const worlds = new Map<number, World>([[first, new Map()]]);
  let revision = first;
  const world = (at: number): World => worlds.get(at) as World;
  const move = (change: (next: Map<string, ApiObject>) => void): void => {
    const next = new Map(world(revision));
    revision += 1;
    change(next);
    worlds.set(revision, next);
  };
  const seen = (at: number, scope: Scope): Map<string, ApiObject> => new Map([...world(at)].filter(([, object]) => isIn(scope, object)));
  return {
    get revision() {
      return revision;
    },
    has: (namespace, name) => world(revision).has(`${namespace}/${name}`),
    put: (namespace, name, labels) =>
      move((next) => next.set(`${namespace}/${name}`, { metadata: { namespace, name, labels, resourceVersion: String(revision) } })),
    remove: (namespace, name) => move((next) => next.delete(`${namespace}/${name}`)),
    at: (at, scope) => [...seen(at, scope)].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, object]) => describe(object)),
    since(from, scope) {
      const said: Said[] = [];
      for (let at = from + 1; at <= revision; at++) {
        const [before, after] = [seen(at - 1, scope), seen(at, scope)];
        for (const [key, object] of after) {
          const old = before.get(key);
          if (old !== object) said.push({ revision: at, text: `${old ? 'MODIFIED' : 'ADDED'} ${describe(object)}` });
        }
        for (const [key, { metadata }] of before) {
          if (!after.has(key))
            said.push({ revision: at, text: `DELETED ${describe({ metadata: { ...metadata, resourceVersion: String(at) } })}` });
        }
      }
      return said;
    },
  };
}

/** The parts of an object that writes can change: "ns/a@7 x=1". */
export function describe({ metadata: { namespace, name, resourceVersion, labels = {} } }: ApiObject): string {
  const pairs = Object.entries(labels).map(([key, value]) => ` ${key}=${value}`);
  return `${namespace}/${name}@${resourceVersion}${pairs.sort().join('')}`;
}

function isIn({ namespace, labelSelector = '' }: Scope, { metadata }: ApiObject): boolean {
  const { requirements = [] } = { requirements: undefined, ...parseLabelSelector(labelSelector) };
  return (namespace === undefined || metadata.namespace === namespace) && matcherOfLabels(requirements)(metadata.labels ?? {});
}
