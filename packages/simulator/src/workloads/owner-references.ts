import { createRequirementsMatcher, type LabelSelector, metaNamespaceKey, requirementsOf } from 'kube-endpoints/internal/apimachinery';
import { ApiError, type ApiObject, hasReason } from 'kube-endpoints/port';
import { type Cache, isFailure, type Queue, type Steps, SyncError } from '../controller/controller.ts';
import { perform } from '../controller/effects.ts';
import type { OwnerReference } from './types.ts';

/** Which controller an object belongs to. Mirrors pkg/controller/controller_ref_manager.go of 1.36. */

export interface OwnerKind {
  readonly apiVersion: string;
  readonly kind: string;
}

/** The owner reference with `controller: true`, if any: `metav1.GetControllerOf`. */
export const controllerOf = ({ metadata }: ApiObject): OwnerReference | undefined =>
  (metadata.ownerReferences as readonly OwnerReference[] | undefined)?.find(({ controller }) => controller === true);

export const isControlledBy = (object: ApiObject, owner: ApiObject): boolean => controllerOf(object)?.uid === owner.metadata.uid;

/** The object of a kind that controls another one; undefined if it is absent or has another UID: resolveControllerRef. */
export function findController<T extends ApiObject>(cache: Cache, object: ApiObject, kind: string): T | undefined {
  const reference = controllerOf(object);
  const found = reference?.kind === kind ? cache.get<T>(kind, object.metadata.namespace ?? '', reference.name) : undefined;
  return found?.metadata.uid === reference?.uid ? found : undefined;
}

/** Adds the key of an object to a queue. Has no effect without an object. */
export function enqueue(object: ApiObject | undefined, queue: Queue): void {
  if (object) queue.add(metaNamespaceKey(object.metadata));
}

/** Enqueues the objects of a kind that may adopt an orphan. An empty selector matches nothing. */
export function enqueueMatching(cache: Cache, { metadata: { namespace, labels } }: ApiObject, kind: string, queue: Queue): void {
  if (!labels) return;
  for (const object of cache.list<ApiObject & { readonly spec: { readonly selector: LabelSelector } }>(kind, namespace)) {
    const requirements = requirementsOf(object.spec.selector);
    if (requirements.length > 0 && createRequirementsMatcher(requirements)(labels)) enqueue(object, queue);
  }
}

/** The objects of a kind whose controller is the owner. */
export const listControlled = <T extends ApiObject>(cache: Cache, kind: string, owner: ApiObject, ownerKind: OwnerKind): T[] =>
  cache.controlledBy<T>(kind, owner.metadata.namespace ?? '', owner.metadata.uid).filter((object) => {
    const controller = controllerOf(object);
    return controller?.kind === ownerKind.kind && controller.name === owner.metadata.name;
  });

/** `metav1.NewControllerRef` */
export const createControllerReference = ({ metadata }: ApiObject, { apiVersion, kind }: OwnerKind): OwnerReference => ({
  apiVersion,
  kind,
  name: metadata.name ?? '',
  uid: metadata.uid ?? '',
  controller: true,
  blockOwnerDeletion: true,
});

/** The controller that adopts objects. */
export interface AdoptionOptions {
  readonly owner: ApiObject;
  readonly ownerKind: OwnerKind;
}

export interface ClaimOptions<T extends ApiObject> extends AdoptionOptions {
  /** The kind of the claimed objects. */
  readonly kind: string;
  matches(object: T): boolean;
  /** Is called with the answer of each successful write. */
  onWrite?(object: T): void;
  /** Finalizers that an adoption adds, and a release removes. */
  readonly finalizers?: readonly string[];
}

/**
 * Adopts orphans that match, releases owned objects that do not, and returns the objects that the owner then controls.
 * All objects are tried before an error is thrown.
 * @throws SyncError if a claim failed, except because the object no longer exists
 */
export function* claimObjects<T extends ApiObject>(objects: readonly T[], options: ClaimOptions<T>): Steps<T[]> {
  const claimed: T[] = [];
  const problems: unknown[] = [];
  const checkAdoption = createAdoptionCheck(options);
  for (const object of objects) {
    try {
      if (yield* claimObject(object, options, checkAdoption)) claimed.push(object);
    } catch (error) {
      if (!isFailure(error)) throw error;
      if (!hasReason(error, 'NotFound')) problems.push(error);
    }
  }
  if (problems.length > 0) throw new SyncError('cannot claim all objects', { cause: problems });
  return claimed;
}

/** Returns whether the owner controls the object. */
function* claimObject<T extends ApiObject>(object: T, options: ClaimOptions<T>, checkAdoption: () => Steps): Steps<boolean> {
  const { owner, matches } = options;
  const controller = controllerOf(object);
  const isOwnerDeleted = owner.metadata.deletionTimestamp !== undefined;
  if (controller) {
    if (controller.uid !== owner.metadata.uid) return false;
    if (matches(object)) return true;
    if (!isOwnerDeleted) yield* release(object, options);
    return false;
  }
  if (isOwnerDeleted || !matches(object) || object.metadata.deletionTimestamp !== undefined) return false;
  yield* checkAdoption();
  yield* patchOwner(object, options, {
    ownerReferences: [createControllerReference(owner, options.ownerKind)],
    uid: object.metadata.uid,
    ...(options.finalizers && { finalizers: options.finalizers }),
  });
  return true;
}

function* release<T extends ApiObject>(object: T, options: ClaimOptions<T>): Steps {
  try {
    yield* patchOwner(object, options, {
      uid: object.metadata.uid,
      ownerReferences: [{ $patch: 'delete', uid: options.owner.metadata.uid }],
      ...(options.finalizers && { '$deleteFromPrimitiveList/finalizers': options.finalizers }),
    });
  } catch (error) {
    // The object is gone, or has no such owner.
    if (!hasReason(error, 'NotFound', 'Invalid')) throw error;
  }
}

function* patchOwner<T extends ApiObject>(object: T, { kind, onWrite }: ClaimOptions<T>, metadata: object): Steps {
  const { namespace = '', name = '' } = object.metadata;
  const written = yield* perform<T>({ do: 'patch', kind, namespace, name, patch: { metadata }, type: 'strategic' });
  onWrite?.(written);
}

/** Before the first adoption, reads the owner uncached: an owner in deletion must not adopt. Mirrors `RecheckDeletionTimestamp`. */
export function createAdoptionCheck({ owner, ownerKind: { kind } }: AdoptionOptions): () => Steps {
  let problem: SyncError | undefined;
  let isChecked = false;
  function* findProblem(): Steps<SyncError | undefined> {
    const { namespace = '', name = '', uid } = owner.metadata;
    try {
      const { metadata } = yield* perform<ApiObject>({ do: 'get', kind, namespace, name });
      if (metadata.uid !== uid)
        return new SyncError(`original ${kind} ${namespace}/${name} is gone: got uid ${metadata.uid}, wanted ${uid}`);
      if (metadata.deletionTimestamp === undefined) return undefined;
      return new SyncError(`${namespace}/${name} has just been deleted at ${metadata.deletionTimestamp}`);
    } catch (error) {
      if (error instanceof ApiError) return new SyncError(`can't recheck DeletionTimestamp: ${error.message}`);
      throw error;
    }
  }
  return function* check(): Steps {
    if (!isChecked) problem = yield* findProblem();
    isChecked = true;
    if (problem) throw problem;
  };
}
