import type { ApiObject } from 'kube-endpoints/port';
import { type RegistryContext, storedOnce, storeOf } from './context.ts';
import { foregroundFinalizer, hasFinalizer, isGoing, type OwnerReference, ownersOf } from './metadata.ts';
import type { ResourceStrategy } from './strategy.ts';

export interface Node {
  readonly strategy: ResourceStrategy;
  readonly object: ApiObject;
}

/** How an owner stands: there; there until its dependents are gone; not there; or of a kind that is not served. */
export type Ownership = 'solid' | 'waiting' | 'absent' | 'unknown';

/** Who owns whom. */
export interface Graph {
  readonly nodes: readonly Node[];
  dependentsOf(owner: Node): readonly Node[];
  standingOf(dependent: Node, owner: OwnerReference): Ownership;
}

/** All objects there are, by owner. Of resources that the collector leaves alone, there are none. */
export function graphOf(context: RegistryContext): Graph {
  const { strategies } = context;
  const collected = storedOnce(context).filter(({ collectsGarbage }) => collectsGarbage);
  const objectsOf = (strategy: ResourceStrategy): readonly ApiObject[] => storeOf(context, strategy).list(strategy.resource).items;
  const nodes = collected.flatMap((strategy) => objectsOf(strategy).map((object): Node => ({ strategy, object })));
  const byUid = new Map(nodes.map((node) => [node.object.metadata.uid, node]));
  const dependents = new Map<string, Node[]>();
  for (const node of nodes) {
    for (const { uid } of ownersOf(node.object)) {
      const known = dependents.get(uid);
      if (known) known.push(node);
      else dependents.set(uid, [node]);
    }
  }
  const kinds = new Set([...strategies.values()].map(({ resource: { group, kind } }) => `${kind}.${group}`));
  return {
    nodes,
    dependentsOf: ({ object }) => dependents.get(object.metadata.uid ?? '') ?? [],
    standingOf: (dependent, owner) => {
      if (!kinds.has(kindOf(owner))) return 'unknown';
      const found = byUid.get(owner.uid);
      if (!found || !isMeant(found, owner, dependent)) return 'absent';
      return isGoing(found.object) && hasFinalizer(found.object, foregroundFinalizer) ? 'waiting' : 'solid';
    },
  };
}

/** A reference is to an object of that kind and name, in the namespace of the dependent or in none. */
function isMeant({ strategy: { resource }, object }: Node, owner: OwnerReference, dependent: Node): boolean {
  const { name, namespace } = object.metadata;
  if (name !== owner.name || `${resource.kind}.${resource.group}` !== kindOf(owner)) return false;
  return !resource.namespaced || namespace === dependent.object.metadata.namespace;
}

const kindOf = ({ apiVersion, kind }: OwnerReference): string => `${kind}.${apiVersion.includes('/') ? apiVersion.split('/')[0] : ''}`;
