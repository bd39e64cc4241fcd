import type { StatusCause } from 'kube-endpoints/internal';
import type { ApiObject, Resource } from 'kube-endpoints/port';
import type { TypeRef } from '../patch/index.ts';
import type { SelectableFields } from '../store/index.ts';

/** What a write is to store, or why it is refused. */
export type Checked =
  | { readonly object: ApiObject; readonly causes?: undefined; readonly warnings?: readonly string[] }
  | { readonly object?: undefined; readonly causes: readonly StatusCause[]; readonly warnings?: readonly string[] };

/** What a body says. */
export interface Decoded {
  readonly object: ApiObject;
  /** Paths of fields that nobody knows. */
  readonly unknown: readonly string[];
  /** What else a client should be warned of. */
  readonly warnings?: readonly string[];
  /** Why it cannot be read at all. */
  readonly problem?: string;
}

/** A write for which something outside the store is taken. One of the two ends it. */
export interface BegunWrite {
  readonly object: ApiObject;
  commit(): void;
  rollback(): void;
}

export interface BeginOptions {
  readonly dryRun: boolean;
}

/** Another form in which objects are stored: that of another group, as Events have, or of another version. */
export interface StoredForm {
  readonly resource: Resource;
  toStored(object: ApiObject): ApiObject;
  fromStored(object: ApiObject): ApiObject;
}

/**
 * What the registry has to know of a resource.
 *
 * Objects go through it decoded, the way the checks like them, and are stored the way the API shows them, so that reads cost nothing.
 * What `decode` answers belongs to the write that it is made for: `admit`, `checkCreate` and `checkUpdate` may write to the object that
 * they are given, and nothing may write to the old one.
 */
export interface ResourceStrategy {
  readonly resource: Resource;
  /** Where its objects are those of another resource, in another form. */
  readonly storedAs?: StoredForm;
  /** What a field selector may name, beyond name and namespace. */
  readonly selectableFields?: SelectableFields;
  /** How its fields are told apart, merged and managed, where it is none of the built-in kinds. By default as its JSON looks. */
  readonly patchType?: TypeRef;
  /** What a new object is before anything is set. By default, no more than its kind. */
  readonly empty?: Readonly<Record<string, unknown>>;
  /**
   * Fields that a write cannot change, and whose values in it are nobody's: by the name of the subresource, the empty one for the object
   * itself; "status", "metadata.deletionTimestamp".
   */
  readonly resetFields?: Readonly<Record<string, readonly string[]>>;
  /** Whether an update of what is not there creates it. */
  readonly createOnUpdate: boolean;
  /** Whether an update may leave out the resourceVersion. */
  readonly unconditionalUpdate: boolean;
  /** The subresources that are written as the object itself is: "status". */
  readonly subresources: readonly string[];
  /** Whether owners' deletion reaches, and finalizers of the garbage collector are for, such objects. */
  readonly collectsGarbage: boolean;
  /** A body, or what is stored, with defaults. */
  decode(body: unknown): Decoded;
  /** Why what a strategic merge patch made cannot be taken for an object, where that is told in other words than of a body. */
  restoreProblem?(patched: unknown): string | undefined;
  /** What is stored, without defaults because it has them; not to be written to. By default as a body is read. */
  decodeStored?(stored: ApiObject): ApiObject;
  encode(object: ApiObject): ApiObject;
  /** Whether what `encode` answers may be kept without a copy, because it is of the object that was decoded for the write, or new. */
  readonly handsOver?: boolean;
  /** What the built-in admission plugins make of it; `old` is there for an update. @throws ApiError Forbidden */
  admit?(object: ApiObject, old?: ApiObject): ApiObject;
  /** Prepares, validates and canonicalises a new object whose name, namespace, uid and creation time are set. */
  checkCreate(object: ApiObject): Checked;
  /** The same for an object in the place of an old one. */
  checkUpdate(object: ApiObject, old: ApiObject, subresource?: string): Checked;
  /** What is to be said about an object that is otherwise fine. */
  warnings?(object: ApiObject, old?: ApiObject): readonly string[];
  /** The seconds that an object is given to end, zero included; absent where there is no such thing. */
  gracePeriod?(object: ApiObject, asked: number | undefined): number;
  /** Whether an object that is going, and has no finalizers left, may go. By default it may. */
  mayGo?(object: ApiObject): boolean;
  /** @throws ApiError why nothing can be taken */
  beginCreate?(object: ApiObject, options: BeginOptions): BegunWrite;
  /** @throws ApiError why nothing can be taken */
  beginUpdate?(object: ApiObject, old: ApiObject, options: BeginOptions): BegunWrite;
  /** Of Services, the cluster IP that is the API server's own. */
  readonly ownAddress?: string;
  /** Gives back what an object had. */
  released?(object: ApiObject): void;
  /** Whose objects of the same name go with it. */
  readonly alsoDeletes?: readonly Resource[];
  /** A last touch to what a write answers. What is stored stays as it is. */
  decorate?(object: ApiObject): ApiObject;
}

/** Resources are told apart by group, version and plural. */
export const idOf = ({ group, version, plural }: Resource): string => `${plural}.${group}/${version}`;

/** By `idOf` their resources. */
export type Strategies = ReadonlyMap<string, ResourceStrategy>;
