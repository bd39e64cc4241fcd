export type Scalar = 'numeric' | 'string' | 'boolean' | 'untyped';

/** What a value may be: structured-merge-diff's `schema.Atom`. More than one for fields that take, say, numbers and strings. */
export interface Atom {
  readonly scalar?: Scalar;
  readonly list?: ListAtom;
  readonly map?: MapAtom;
}

export interface ListAtom {
  readonly element: TypeRef;
  /** Whether the list is one value as a whole; its items are told apart otherwise. */
  readonly atomic: boolean;
  /** The fields that tell items apart (listType=map); none for a set. */
  readonly keys: readonly string[];
}

export interface MapAtom {
  readonly fields: ReadonlyMap<string, Field>;
  /** The type of what is not among the fields; nothing else is allowed where it is missing. */
  readonly element?: TypeRef | undefined;
  readonly atomic: boolean;
}

export interface Field {
  readonly type: TypeRef;
  /** How paths name it. By default it is made of its name each time. */
  readonly element?: string;
  /** Stands in for a missing key of a list's item. */
  readonly default?: unknown;
  /** How a strategic merge patch treats the field, if not by replacing it: "merge", "retainKeys". */
  readonly strategies?: readonly string[] | undefined;
  readonly mergeKey?: string | undefined;
  /** Whether Go keeps a pointer to it, which strategic merge patches can tell. */
  readonly pointer?: boolean;
}

/** A type by reference, since types may contain themselves. */
export interface TypeRef {
  /** The name of a named type as Go's code has it; absent for types that stand where they are used. */
  readonly name?: string | undefined;
  readonly resolve: () => Atom;
}

export const inline = (atom: Atom): TypeRef => ({ resolve: () => atom });

/** Any value, each a whole: what the type `runtime.RawExtension` is. */
export const untyped: TypeRef = {
  name: 'any',
  resolve: () => ({
    scalar: 'untyped',
    list: { element: untyped, atomic: true, keys: [] },
    map: { fields: new Map(), element: untyped, atomic: true },
  }),
};

/** Any value; objects field by field, lists whole. This is how objects without a schema are merged. */
export const deduced: TypeRef = {
  name: 'deduced',
  resolve: () => deducedAtom,
};

const deducedAtom: Atom = {
  scalar: 'untyped',
  list: { element: untyped, atomic: true, keys: [] },
  map: { fields: new Map(), element: deduced, atomic: false },
};
