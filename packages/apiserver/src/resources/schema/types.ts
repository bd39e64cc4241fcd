/** A type of the API as its JSON is read and written. `go` is how Go names it in messages. */
export type ApiType =
  | { readonly kind: 'text' | 'bool' | 'bytes'; readonly go: string }
  | { readonly kind: 'integer'; readonly go: string; readonly min: number; readonly max: number }
  | { readonly kind: 'float'; readonly go: string }
  | { readonly kind: 'time' | 'microTime' | 'quantity' | 'intOrString' | 'raw'; readonly go: string }
  | { readonly kind: 'pointer'; readonly to: ApiType }
  | { readonly kind: 'list'; readonly go: string; readonly of: ApiType }
  | { readonly kind: 'map'; readonly go: string; readonly of: ApiType }
  | StructType;

export interface StructType {
  readonly kind: 'struct';
  readonly go: string;
  /** By their names in JSON, in the order in which they are printed. */
  readonly fields: ReadonlyMap<string, Field>;
}

export interface Field {
  readonly name: string;
  readonly type: ApiType;
  /** Left out of the JSON where it is zero. */
  readonly omitEmpty: boolean;
  /** Left out even where it is an empty struct. */
  readonly omitZero: boolean;
  /** The Go names of the embedded structs that it stands in; they show up in messages. */
  readonly embedded: readonly string[];
  /** How a strategic merge patch treats it. */
  readonly patchStrategy?: string;
  readonly patchMergeKey?: string;
}
