import { type PropagationPolicy, parseApiVersion } from 'kube-endpoints/internal/apimachinery';
import { ApiError, type ApiObject, hasReason } from 'kube-endpoints/port';
import { serviceAccount } from './caller.ts';
import { listForMetadata, type RegistryContext, storedStrategies } from './context.ts';
import { remove } from './delete.ts';
import {
  foregroundFinalizer,
  hasFinalizer,
  isBeingDeleted,
  keyOf,
  type OwnerReference,
  orphanFinalizer,
  ownersOf,
  withMetadata,
} from './metadata.ts';
import type { ResourceStrategy } from './strategy.ts';
import { update } from './update.ts';

/**
 * Runs the garbage collector until no work is left: removes the finalizers `orphan` and `foregroundDeletion`, and deletes objects whose
 * owners are gone.
 *
 * Mirrors attemptToDeleteItem and attemptToOrphanWorker (pkg/controller/garbagecollector/garbagecollector.go, 1.36), over a list of all
 * objects instead of a maintained graph.
 * @param onError called with the error of each write that admission or validation refuses, so that the caller can retry later
 * @returns number of writes
 */
export async function collectGarbage(registryContext: RegistryContext, onError?: (error: ApiError) => void): Promise<number> {
  const context = { ...registryContext, ...(onError && { onError }) };
  for (let writeCount = 0; ; ) {
    const graph = buildGraph(context);
    let roundWriteCount = 0;
    for (const node of graph.nodes) roundWriteCount += await processNode(context, graph, node);
    if (roundWriteCount === 0) return writeCount;
    writeCount += roundWriteCount;
  }
}

function processNode(context: CollectorContext, graph: Graph, node: GraphNode): Promise<number> | number {
  if (isBeingDeleted(node.object) && hasFinalizer(node.object, orphanFinalizer)) return orphanDependents(context, graph, node);
  if (isDeletingDependents(node.object)) return finishForegroundDeletion(context, graph, node);
  if (isBeingDeleted(node.object) || ownersOf(node.object).length === 0) return 0;
  return attemptToDelete(context, graph, node);
}

async function orphanDependents(context: CollectorContext, graph: Graph, node: GraphNode): Promise<number> {
  let writeCount = 0;
  const { uid = '' } = node.object.metadata;
  for (const dependent of graph.dependentsOf(node)) writeCount += await removeOwners(context, dependent, [uid]);
  return writeCount + (await removeFinalizer(context, node, orphanFinalizer));
}

function finishForegroundDeletion(context: CollectorContext, graph: Graph, node: GraphNode): Promise<number> | number {
  const { uid } = node.object.metadata;
  const isBlocking = ({ object }: GraphNode): boolean =>
    ownersOf(object).some((owner) => owner.uid === uid && owner.blockOwnerDeletion === true);
  return graph.dependentsOf(node).some(isBlocking) ? 0 : removeFinalizer(context, node, foregroundFinalizer);
}

function attemptToDelete(context: CollectorContext, graph: Graph, node: GraphNode): Promise<number> | number {
  const owners = ownersOf(node.object).map((owner) => ({ owner, ownerState: graph.ownerStateOf(node, owner) }));
  const findUids = (...ownerStates: readonly OwnerState[]): readonly string[] =>
    owners.filter(({ ownerState }) => ownerStates.includes(ownerState)).map(({ owner }) => owner.uid);
  if (findUids('unknown').length > 0) return 0;
  if (findUids('solid').length > 0) {
    const danglingUids = findUids('absent', 'waiting');
    return danglingUids.length > 0 ? removeOwners(context, node, danglingUids) : 0;
  }
  const dependents = graph.dependentsOf(node);
  if (findUids('waiting').length === 0 || dependents.length === 0) return deleteNode(context, node, policyOf(node.object));
  return deleteWithDependents(context, node, dependents);
}

/**
 * Deletes an object in the foreground. If a dependent is itself in foreground deletion, first unblocks the owner references of the object,
 * because the two may be part of an ownership cycle.
 */
async function deleteWithDependents(context: CollectorContext, node: GraphNode, dependents: readonly GraphNode[]): Promise<number> {
  const isInCycle = dependents.some(({ object }) => isDeletingDependents(object));
  const nonBlockingOwners = ownersOf(node.object).map((owner) => ({ ...owner, blockOwnerDeletion: false }));
  const writeCount = isInCycle
    ? await updateNode(context, node, (object) => withMetadata(object, { ownerReferences: nonBlockingOwners }))
    : 0;
  return writeCount + (await deleteNode(context, node, 'Foreground'));
}

const isDeletingDependents = (object: ApiObject): boolean => isBeingDeleted(object) && hasFinalizer(object, foregroundFinalizer);

function policyOf(object: ApiObject): PropagationPolicy {
  if (hasFinalizer(object, orphanFinalizer)) return 'Orphan';
  return hasFinalizer(object, foregroundFinalizer) ? 'Foreground' : 'Background';
}

function removeOwners(context: CollectorContext, node: GraphNode, uids: readonly string[]): Promise<number> {
  return updateNode(context, node, (object) => {
    const remaining = ownersOf(object).filter(({ uid }) => !uids.includes(uid));
    return withMetadata(object, { ownerReferences: remaining.length > 0 ? remaining.map((owner) => ({ ...owner })) : undefined });
  });
}

function removeFinalizer(context: CollectorContext, node: GraphNode, finalizer: string): Promise<number> {
  return updateNode(context, node, (object) => {
    const remaining = (object.metadata.finalizers ?? []).filter((each) => each !== finalizer);
    return withMetadata(object, { finalizers: remaining.length > 0 ? remaining : undefined });
  });
}

interface CollectorContext extends RegistryContext {
  readonly onError?: (error: ApiError) => void;
}

const updateNode = (
  context: CollectorContext,
  { strategy, object }: GraphNode,
  transform: (object: ApiObject) => ApiObject,
): Promise<number> =>
  countWrites(context, async () => {
    const revisionBefore = context.store.revision;
    const options = { preconditions: uidPrecondition(object), fieldManager: 'kube-controller-manager', user };
    await update(context, strategy, keyOf(object.metadata), (current) => transform(current as ApiObject), options);
    return context.store.revision === revisionBefore ? 0 : 1;
  });

const deleteNode = (context: CollectorContext, { strategy, object }: GraphNode, propagationPolicy: PropagationPolicy): Promise<number> =>
  countWrites(context, async () => {
    await remove(context, strategy, keyOf(object.metadata), { propagationPolicy, preconditions: uidPrecondition(object), user });
    return 1;
  });

/** Runs a write and returns the number of writes: 0 if an ApiError refused it. Errors other than NotFound and Conflict go to `onError`. */
async function countWrites({ onError }: CollectorContext, write: () => Promise<number>): Promise<number> {
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (!hasReason(error, 'NotFound', 'Conflict')) onError?.(error);
    return 0;
  }
}

const user = serviceAccount('generic-garbage-collector');

const uidPrecondition = ({ metadata: { uid } }: ApiObject): { readonly uid?: string } => (uid === undefined ? {} : { uid });

export interface GraphNode {
  readonly strategy: ResourceStrategy;
  readonly object: ApiObject;
}

/** State of an owner: present, waiting for its dependents, missing, or of a kind that is not served. */
export type OwnerState = 'solid' | 'waiting' | 'absent' | 'unknown';

interface Graph {
  readonly nodes: readonly GraphNode[];
  dependentsOf(owner: GraphNode): readonly GraphNode[];
  ownerStateOf(dependent: GraphNode, owner: OwnerReference): OwnerState;
}

/** Builds the graph of all stored objects, without the resources that are excluded from garbage collection. */
export function buildGraph(context: RegistryContext): Graph {
  const { strategies } = context;
  const collectedStrategies = storedStrategies(context).filter(({ isGarbageCollected }) => isGarbageCollected);
  const nodes = collectedStrategies.flatMap((strategy) =>
    listForMetadata(context, strategy).map((object): GraphNode => ({ strategy, object })),
  );
  const byUid = new Map(nodes.map((node) => [node.object.metadata.uid, node]));
  const dependents = new Map<string, GraphNode[]>();
  for (const node of nodes) {
    for (const { uid } of ownersOf(node.object)) {
      const ownerDependents = dependents.get(uid);
      if (ownerDependents) ownerDependents.push(node);
      else dependents.set(uid, [node]);
    }
  }
  const servedKinds = new Set([...strategies.values()].map(({ resource: { group, kind } }) => `${kind}.${group}`));
  return {
    nodes,
    dependentsOf: ({ object }) => dependents.get(object.metadata.uid ?? '') ?? [],
    ownerStateOf: (dependent, owner) => {
      if (!servedKinds.has(kindOf(owner))) return 'unknown';
      const ownerNode = byUid.get(owner.uid);
      if (!ownerNode || !isValidOwner(ownerNode, owner, dependent)) return 'absent';
      return isBeingDeleted(ownerNode.object) && hasFinalizer(ownerNode.object, foregroundFinalizer) ? 'waiting' : 'solid';
    },
  };
}

/** A reference is valid if kind and name match and the owner is in the dependent's namespace or cluster-scoped. */
function isValidOwner({ strategy: { resource }, object }: GraphNode, owner: OwnerReference, dependent: GraphNode): boolean {
  const { name, namespace } = object.metadata;
  if (name !== owner.name || `${resource.kind}.${resource.group}` !== kindOf(owner)) return false;
  return !resource.namespaced || namespace === dependent.object.metadata.namespace;
}

const kindOf = ({ apiVersion, kind }: OwnerReference): string => `${kind}.${parseApiVersion(apiVersion).group}`;
