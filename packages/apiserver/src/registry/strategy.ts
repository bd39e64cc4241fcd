import { apiVersionOf, type StatusCause } from 'kube-endpoints/internal/apimachinery';
import type { ApiObject, Resource } from 'kube-endpoints/port';
import type { TypeRef } from '../patch/index.ts';
import type { SelectableFields, Store } from '../store/index.ts';
import type { Caller, User } from './caller.ts';

/** The object to store, or the validation errors. */
export type CheckResult =
  | { readonly object: ApiObject; readonly causes?: undefined; readonly warnings?: readonly string[] }
  | { readonly object?: undefined; readonly causes: readonly StatusCause[]; readonly warnings?: readonly string[] };

/** A decoded body. */
export interface DecodedBody {
  readonly object: ApiObject;
  /** Paths of unknown fields. */
  readonly unknown: readonly string[];
  /** Further warnings for the client. */
  readonly warnings?: readonly string[];
  /** The reason why the body cannot be decoded. */
  readonly problem?: string;
}

/** A write that has allocated resources outside the store. Exactly one of commit and rollback must be called. */
export interface PendingWrite {
  readonly object: ApiObject;
  commit(): void;
  rollback(): void;
}

export interface AllocationOptions {
  readonly dryRun: boolean;
}

/** A different form in which objects are stored: of a different group, as for Events, or of a different version. */
export interface StoredForm {
  readonly resource: Resource;
  toStored(object: ApiObject): ApiObject;
  fromStored(object: ApiObject): ApiObject;
  /** Converts an object between any two versions, without pruning. By default, objects are converted through the stored form. */
  convert?(object: ApiObject, apiVersion: string): ApiObject;
  /** Set if conversions call another server, so that they work only within `Conversions.run`: `fromStored` for several objects, with one call. */
  fromStoredAll?(objects: readonly ApiObject[]): readonly ApiObject[];
}

/**
 * Describes a resource to the registry.
 *
 * Objects are processed in decoded form and stored in the API's form, so that reads need no conversion. A decoded object belongs to its
 * write: `admit`, `checkCreate` and `checkUpdate` may modify their object, but never the old one.
 */
export interface ResourceStrategy {
  readonly resource: Resource;
  /** Set if objects are stored in a different form. */
  readonly storedAs?: StoredForm;
  /** Set if objects are computed instead of stored. */
  readonly computed?: Store;
  /** The fields, besides name and namespace, that a field selector may use. */
  readonly selectableFields?: SelectableFields;
  /** Merge and field management schema, if the kind is not built in. By default deduced from the JSON. */
  readonly patchType?: TypeRef;
  /** The initial object for server-side apply. Defaults to a built-in kind's zero object, else to apiVersion, kind and metadata. */
  readonly empty?: Readonly<Record<string, unknown>>;
  /**
   * Fields that a write cannot change and does not own, by subresource, with "" for the object itself: "status",
   * "metadata.deletionTimestamp".
   */
  readonly resetFields?: Readonly<Record<string, readonly string[]>>;
  /** True if an update creates a missing object. */
  readonly createOnUpdate: boolean;
  /** True if an update may omit the resourceVersion. */
  readonly unconditionalUpdate: boolean;
  /** Names of the subresources that write the object itself, such as "status". */
  readonly subresources: readonly string[];
  /** True if the garbage collector follows the owner references and finalizers of these objects. */
  readonly isGarbageCollected: boolean;
  /** Decodes a request body or a stored object and sets defaults. */
  decode(body: unknown): DecodedBody;
  /** The error for the result of a strategic merge patch, if upstream's message differs from that for a body. */
  restoreProblem?(patched: unknown): string | undefined;
  /** Decodes a stored object, which already has its defaults; the result must not be modified. Defaults to `decode`. */
  decodeStored?(stored: ApiObject): ApiObject;
  encode(object: ApiObject): ApiObject;
  /** The result of `encode` is new or belongs to the write, so the store need not copy it. */
  readonly transfersOwnership?: boolean;
  /** Runs the built-in admission plugins; `old` is set for an update. @throws ApiError Forbidden */
  admit?(object: ApiObject, old?: ApiObject): ApiObject;
  /** Records the user who creates an object. The user is undefined for calls in this process. */
  recordUser?(object: ApiObject, user: User | undefined): ApiObject;
  /** Prepares, validates and canonicalises a new object whose name, namespace, uid and creation time are set. */
  checkCreate(object: ApiObject): CheckResult;
  /** Prepares, validates and canonicalises an update. */
  checkUpdate(object: ApiObject, old: ApiObject, subresource?: string): CheckResult;
  /** Returns warnings about a valid object. */
  warnings?(object: ApiObject, old?: ApiObject): readonly string[];
  /** Returns the grace period in seconds, which may be 0. Absent if the resource has no graceful deletion. */
  gracePeriod?(object: ApiObject, requestedSeconds: number | undefined): number;
  /** Returns false to keep a deleted object that has no finalizers left. By default, such an object is removed. */
  isRemovable?(object: ApiObject): boolean;
  /** @throws ApiError if the allocation fails */
  beginCreate?(object: ApiObject, options: AllocationOptions): PendingWrite;
  /** @throws ApiError if the allocation fails */
  beginUpdate?(object: ApiObject, old: ApiObject, options: AllocationOptions): PendingWrite;
  /** For Services: the cluster IP of the API server itself. */
  readonly ownAddress?: string;
  /** Releases the allocations of a deleted object. */
  releaseAllocations?(object: ApiObject): void;
  /** Resources whose object of the same name is deleted together with an object. */
  readonly dependentResources?: readonly Resource[];
  /** Set if a create is answered without storing the object: TokenReview, SubjectAccessReview. */
  readonly review?: Review;
  /** Modifies the response of a write. The stored object is unchanged. */
  decorate?(object: ApiObject): ApiObject;
}

/** How a create is answered without storing the object. */
export interface Review {
  /** @throws ApiError Invalid or BadRequest */
  validate(review: ApiObject): void;
  /** Returns the answer. */
  evaluate(review: ApiObject, caller: Caller): ApiObject;
}

/** Finds the resource of a kind in an API version. */
export const findKind = (resources: readonly Resource[], apiVersion: string, kind: string): Resource | undefined =>
  resources.find((each) => each.kind === kind && apiVersionOf(each) === apiVersion);

/** Identifies a resource by group, version and plural. */
export const idOf = ({ group, version, plural }: Resource): string => `${plural}.${group}/${version}`;

/** Strategies by `idOf` of their resource. */
export type Strategies = ReadonlyMap<string, ResourceStrategy>;
