/**
 * Parses type tables with one type per line: `name=type` for an alias, or `name field field …` for a struct. A field is
 * `name:type`, optionally followed by `@Embedded` (the embedded struct that contains it) and `^patchStrategy(mergeKey)`. `?` after the
 * name means omitempty, `~` omitzero. Types may be recursive.
 */
export function parseTypes(...tables: readonly string[]): ReadonlyMap<string, ApiType> {
  const types = new Map<string, ApiType>(Object.entries(scalarTypes));
  const structs: { readonly fields: Map<string, Field>; readonly fieldTexts: readonly string[] }[] = [];
  const aliases: { readonly name: string; readonly text: string }[] = [];
  for (const line of tables.join('\n').split('\n')) {
    if (line === '') continue;
    const alias = /^([\w.]+)=(.*)$/.exec(line);
    if (alias) aliases.push({ name: alias[1] as string, text: alias[2] as string });
    else {
      const [name = '', ...fieldTexts] = line.split(' ');
      const fields = new Map<string, Field>();
      structs.push({ fields, fieldTexts });
      types.set(name, { kind: 'struct', go: goName(name), fields } satisfies StructType);
    }
  }
  for (const { name, text } of aliases) types.set(name, withGoName(parseType(text, types), goName(name)));
  for (const { fields, fieldTexts } of structs) {
    for (const each of fieldTexts) {
      const field = parseField(each, types);
      fields.set(field.name, field);
    }
  }
  return types;
}

const scalarTypes: Readonly<Record<string, ApiType>> = {
  'meta.Time': { kind: 'time', go: 'v1.Time' },
  'meta.MicroTime': { kind: 'microTime', go: 'v1.MicroTime' },
  'meta.FieldsV1': { kind: 'raw', go: 'v1.FieldsV1' },
  'resource.Quantity': { kind: 'quantity', go: 'resource.Quantity' },
  'intstr.IntOrString': { kind: 'intOrString', go: 'intstr.IntOrString' },
  string: { kind: 'text', go: 'string' },
  bool: { kind: 'bool', go: 'bool' },
  int32: { kind: 'integer', go: 'int32', min: -(2 ** 31), max: 2 ** 31 - 1 },
  int64: { kind: 'integer', go: 'int64', min: -(2 ** 63), max: 2 ** 63 - 1 },
  '[]byte': { kind: 'bytes', go: '[]uint8' },
};

/** Every API group is a Go package named v1. */
const goName = (name: string): string => name.replace(/^(core|meta|discovery|coordination|events|admission|autoscaling|policy)\./, 'v1.');

const withGoName = (type: ApiType, go: string): ApiType => (type.kind === 'pointer' ? type : { ...type, go });

function parseField(text: string, types: ReadonlyMap<string, ApiType>): Field {
  const match = /^([^?~:]+)([?~]*):([^@^]+)((?:@\w+)*)(?:\^([a-zA-Z,]+)(?:\((\w+)\))?)?$/.exec(text);
  if (!match) throw new Error(`not a field: ${text}`);
  const [, name = '', flags = '', type = '', embedded = '', patchStrategy, patchMergeKey] = match;
  return {
    name,
    type: parseType(type, types),
    omitEmpty: flags.includes('?'),
    omitZero: flags.includes('~'),
    embedded: embedded.split('@').slice(1),
    ...(patchStrategy !== undefined && { patchStrategy }),
    ...(patchMergeKey !== undefined && { patchMergeKey }),
  };
}

function parseType(text: string, types: ReadonlyMap<string, ApiType>): ApiType {
  const existing = types.get(text);
  if (existing) return existing;
  if (text.startsWith('*')) return { kind: 'pointer', to: parseType(text.slice(1), types) };
  if (text.startsWith('[]')) return { kind: 'list', go: goTypeOf(text), of: parseType(text.slice(2), types) };
  const map = /^map\[[\w.]+\](.*)$/.exec(text);
  if (!map) throw new Error(`not a type: ${text}`);
  return { kind: 'map', go: goTypeOf(text), of: parseType(map[1] as string, types) };
}

const goTypeOf = (text: string): string =>
  text.replace(/\[\]byte/g, '[]uint8').replace(/\b(core|meta|discovery|coordination|events|admission|autoscaling|policy)\./g, 'v1.');

/** An API type for decoding and encoding JSON. `go` is its Go name in messages. */
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
  /** By JSON name, in encoding order. */
  readonly fields: ReadonlyMap<string, Field>;
}

export interface Field {
  readonly name: string;
  readonly type: ApiType;
  /** Omitted from JSON if it is zero. */
  readonly omitEmpty: boolean;
  /** Omitted even if it is an empty struct. */
  readonly omitZero: boolean;
  /** Go names of the embedded structs that contain the field; error messages include them. */
  readonly embedded: readonly string[];
  readonly patchStrategy?: string;
  readonly patchMergeKey?: string;
}
