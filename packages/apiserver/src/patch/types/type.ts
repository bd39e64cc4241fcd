export type Scalar = 'numeric' | 'string' | 'boolean' | 'untyped';

/** The kinds of value that a type accepts, mostly one of the three. Mirrors structured-merge-diff's `schema.Atom`. */
export interface Atom {
  readonly scalar?: Scalar;
  readonly list?: ListAtom;
  readonly map?: MapAtom;
}

export interface ListAtom {
  readonly element: TypeRef;
  /** Whether the list is merged as a single value; otherwise its items are merged one by one. */
  readonly atomic: boolean;
  /** The fields that identify items (listType=map); empty for a set. */
  readonly keys: readonly string[];
}

export interface MapAtom {
  readonly fields: ReadonlyMap<string, Field>;
  /** The type of undeclared fields; if absent, they are not allowed. */
  readonly element?: TypeRef | undefined;
  readonly atomic: boolean;
}

export interface Field {
  readonly type: TypeRef;
  /** The path element; by default computed from the name. */
  readonly element?: string;
  /** The value of a list key that an item omits. */
  readonly default?: unknown;
  /** Patch strategies for strategic merge patches besides replacing: "merge", "retainKeys". */
  readonly strategies?: readonly string[] | undefined;
  readonly mergeKey?: string | undefined;
  /** Whether the Go field is a pointer, which affects strategic merge patches. */
  readonly pointer?: boolean;
}

/** A reference to a type, because types may be recursive. */
export interface TypeRef {
  /** The Go name of a named type; absent for inline types. */
  readonly name?: string | undefined;
  readonly resolve: () => Atom;
}

export const inlineType = (atom: Atom): TypeRef => ({ resolve: () => atom });

/** Any value, treated as a single value: the type `runtime.RawExtension`. */
export const untyped: TypeRef = {
  name: 'any',
  resolve: () => ({
    scalar: 'untyped',
    list: { element: untyped, atomic: true, keys: [] },
    map: { fields: new Map(), element: untyped, atomic: true },
  }),
};

/** Any value: objects are merged field by field, lists as a whole. Used for objects without a schema. */
export const deducedType: TypeRef = {
  name: 'deduced',
  resolve: () => deducedAtom,
};

const deducedAtom: Atom = {
  scalar: 'untyped',
  list: { element: untyped, atomic: true, keys: [] },
  map: { fields: new Map(), element: deducedType, atomic: false },
};
