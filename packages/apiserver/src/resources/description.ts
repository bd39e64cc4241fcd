import type { Resource } from 'kube-endpoints/port';
import type { Causes } from './field/causes.ts';
import { child, type Draft, type Fields, flag, text } from './field/read.ts';
import type { StructType } from './schema/index.ts';

/** What the API server knows of a resource beyond how it is stored: a strategy, in Kubernetes' words. */
export interface Description {
  readonly resource: Resource;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly type: StructType;
  readonly strategy: Strategy;
  /** By name of the subresource that is updated as the object is: "status", "finalize". */
  readonly subresources: Readonly<Record<string, UpdateStrategy>>;
  /** The fields that a field selector may name. */
  readonly selectableFields: FieldReaders;
  /** Other names for them. */
  readonly fieldAliases?: Readonly<Record<string, string>>;
  readonly columns: readonly Column[];
  /** The cells of an object's row, one for each column. */
  readonly cells: (object: Fields, now: Date) => readonly Cell[];
  /** What is to be said of the row as a whole. */
  readonly rowConditions?: (object: Fields) => readonly RowCondition[];
  /** How long an object is to be given before it goes; absent: it goes at once. */
  readonly gracePeriod?: (object: Fields, asked: number | undefined) => number;
}

export interface UpdateStrategy {
  /** The fields that are put back, as far as the managers of fields are told: `GetResetFields`. */
  readonly resetFields?: readonly string[];
  /** Puts back what an update may not touch. */
  readonly prepareForUpdate?: (draft: Draft, old: Fields) => void;
  readonly validateUpdate: (object: Fields, old: Fields, causes: Causes) => void;
}

export interface Strategy extends UpdateStrategy {
  readonly defaults?: (draft: Draft) => void;
  /**
   * What the built-in admission plugins make of a new object, or of an update where there is an old one; the answer says why it is
   * forbidden, where it is.
   */
  readonly admit?: (draft: Draft, old?: Fields) => string | undefined;
  readonly prepareForCreate?: (draft: Draft) => void;
  readonly validate: (object: Fields, causes: Causes) => void;
  /** What the API server warns of, about an object that is otherwise fine. */
  readonly warnings?: (object: Fields, old?: Fields) => readonly string[];
  /** The last touch before an object is stored. */
  readonly canonicalize?: (draft: Draft) => void;
  /** Whether a PUT of what is not there creates it. */
  readonly createOnUpdate: boolean;
  /** Whether an update may leave out the resourceVersion. */
  readonly unconditionalUpdate: boolean;
}

/** A column of a Table: `metav1.TableColumnDefinition`. Priority 0 is always shown, 1 with -o wide. */
export interface Column {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'boolean' | 'date' | 'number';
  readonly format: string;
  /** What it shows, where that is told. */
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

export type Cell = string | number | boolean | null;

/** What an object has in a field that a selector may name. */
type FieldReader = (object: Fields) => string;

/** By the name in the selector. */
export type FieldReaders = Readonly<Record<string, FieldReader>>;

/** The fields that every object of a resource can be selected by. */
export const metadataFields = (namespaced: boolean): FieldReaders => ({
  'metadata.name': textIn('metadata', 'name'),
  ...(namespaced && { 'metadata.namespace': textIn('metadata', 'namespace') }),
});

export const textIn =
  (parent: string, name: string): FieldReader =>
  (object) =>
    text(child(object, parent), name);

export const flagIn =
  (parent: string, name: string): FieldReader =>
  (object) =>
    String(flag(child(object, parent), name));
