import type { Resource } from 'kube-endpoints/port';
import type { StructType } from '../api-types/index.ts';
import type { Causes } from './field/causes.ts';
import { child, type Draft, type Fields, flag, text } from './field/read.ts';

/** Describes a resource: type, strategy and table columns, in Kubernetes' terms. */
export interface Description {
  readonly resource: Resource;
  readonly singular: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly type: StructType;
  readonly strategy: Strategy;
  /** Update strategies by subresource: "status", "finalize". */
  readonly subresources?: Readonly<Record<string, UpdateStrategy>>;
  /** Fields that a field selector may use. */
  readonly selectableFields: FieldReaders;
  /** Selectable field by alias. */
  readonly fieldAliases?: Readonly<Record<string, string>>;
  readonly columns: readonly Column[];
  /** The cells of an object's row, one per column. */
  readonly cells: (object: Fields, now: Date) => readonly Cell[];
  /** Conditions of the table row. */
  readonly rowConditions?: (object: Fields) => readonly RowCondition[];
  /** Grace period in seconds. If absent, objects are deleted immediately. */
  readonly gracePeriod?: (object: Fields, requestedSeconds: number | undefined) => number;
}

export interface UpdateStrategy {
  /** Fields that the update resets and that its manager therefore does not own: `GetResetFields`. */
  readonly resetFields?: readonly string[];
  /** Resets fields that the update must not change. */
  readonly prepareForUpdate?: (draft: Draft, old: Fields) => void;
  readonly validateUpdate: (object: Fields, old: Fields, causes: Causes) => void;
}

/** Lists the stored objects of a built-in resource, such as "priorityclasses.scheduling.k8s.io", in a namespace or in all. */
export type ListObjects = (groupResource: string, namespace?: string) => readonly Fields[];

export interface Strategy extends UpdateStrategy {
  readonly defaults?: (draft: Draft) => void;
  /** Runs the built-in admission plugins; `old` is set for an update. Returns the message of a Forbidden error, or undefined. */
  readonly admit?: (draft: Draft, old: Fields | undefined, listObjects: ListObjects) => string | undefined;
  readonly prepareForCreate?: (draft: Draft) => void;
  readonly validate: (object: Fields, causes: Causes) => void;
  /** Warnings of the API server about a valid object. */
  readonly warnings?: (object: Fields, old?: Fields) => readonly string[];
  /** Runs last, before the object is stored. */
  readonly canonicalize?: (draft: Draft) => void;
  /** Whether a PUT creates a missing object: `AllowCreateOnUpdate`. */
  readonly createOnUpdate: boolean;
  /** Whether an update may omit the resourceVersion: `AllowUnconditionalUpdate`. */
  readonly unconditionalUpdate: boolean;
}

/** A column of a Table: `metav1.TableColumnDefinition`. Priority 0 is always shown, 1 with -o wide. */
export interface Column {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'boolean' | 'date' | 'number';
  readonly format: string;
  /** The column's description, if any. */
  readonly description?: string;
  readonly priority: number;
}

/** `meta.k8s.io`'s TableRowCondition. */
export interface RowCondition {
  readonly type: 'Completed';
  readonly status: 'True';
  readonly reason: string;
  readonly message: string;
}

export type Cell = string | number | bigint | boolean | null;

type FieldReader = (object: Fields) => string;

/** By field path, as in a field selector. */
export type FieldReaders = Readonly<Record<string, FieldReader>>;

/** Selectable fields that every resource has. */
export const metadataFields = (namespaced: boolean): FieldReaders => ({
  'metadata.name': createTextReader('metadata', 'name'),
  ...(namespaced && { 'metadata.namespace': createTextReader('metadata', 'namespace') }),
});

/** Reads `parent.name` of an object as text; empty if absent. */
export const createTextReader =
  (parent: string, name: string): FieldReader =>
  (object) =>
    text(child(object, parent), name);

/** Reads `parent.name` of an object as "true" or "false"; "false" if absent. */
export const createFlagReader =
  (parent: string, name: string): FieldReader =>
  (object) =>
    String(flag(child(object, parent), name));
