/**
 * An API type for decoding and encoding JSON and protobuf. `go` is its Go name in messages.
 */
export type ApiType =
  | { readonly kind: 'text'; readonly go: string /** The values of an enum. */; readonly values?: readonly string[] }
  | { readonly kind: 'bool' | 'bytes' | 'float'; readonly go: string }
  | { readonly kind: 'integer'; readonly go: string; readonly min: number; readonly max: number }
  | { readonly kind: 'time' | 'microTime' | 'quantity' | 'intOrString' | 'raw'; readonly go: string }
  | { readonly kind: 'pointer'; readonly to: ApiType }
  | { readonly kind: 'list'; readonly go: string; readonly of: ApiType }
  | { readonly kind: 'map'; readonly go: string; readonly of: ApiType }
  | StructType;

export interface StructType {
  readonly kind: 'struct';
  /** The name in the table: "core.Service", "autoscaling/v2.MetricSpec". */
  readonly name: string;
  readonly go: string;
  /** Whether server-side apply merges it as a single value. */
  readonly atomic: boolean;
  /** By JSON name, in encoding order. Parsed at first use. */
  readonly fields: ReadonlyMap<string, Field>;
}

export interface Field {
  readonly name: string;
  readonly type: ApiType;
  /** Omitted from JSON if it is zero. */
  readonly omitEmpty: boolean;
  /** Omitted even if it is an empty struct. */
  readonly omitZero: boolean;
  /** Whether OpenAPI documents list it as required. */
  readonly required: boolean;
  /** The default in OpenAPI documents, unless it is the zero value that follows from the type. */
  readonly default?: unknown;
  /** Go names of the embedded structs that contain the field; error messages include them. */
  readonly embedded: readonly string[];
  /** Protobuf's field number, preceded by the numbers of the embedded structs. Empty if the field is not part of the message. */
  readonly numbers: readonly number[];
  /** How server-side apply merges a list (by default atomic) or a map (by default by key). */
  readonly merging?: Merging;
  readonly patchStrategy?: string;
  readonly patchMergeKey?: string;
}

export type Merging = { readonly kind: 'set' | 'atomic' } | { readonly kind: 'map'; readonly keys: readonly string[] };

export interface TypeTable {
  find(name: string): ApiType | undefined;
  names(): readonly string[];
}

/**
 * Reads a table with one type per line; a line is parsed at the first use of its type. The notation:
 *
 *     name=type|A|B     a type that is encoded as another one, with the values of an enum
 *     name field…       a struct; `name!` if server-side apply merges it as a single value
 *
 * A field is `name:type`. Before the colon: `?` omitempty, `~` omitzero, `!` if it is optional without these, or required with these.
 * After the type, in this order: `@Name#3` for each embedded struct that contains it, `#3` its number in protobuf, `%set`,
 * `%map(keys)` or `%atomic` for server-side apply, `^strategy(mergeKey)` for strategic merge patches, `=default` in JSON.
 */
export function readTypeTable(table: string): TypeTable {
  const lines = new Map<string, string>();
  for (const line of table.split('\n')) {
    const name = /^[^ =!]+/.exec(line)?.[0];
    if (name !== undefined) lines.set(name, line.slice(name.length));
  }
  const types = new Map<string, ApiType>(Object.entries(opaqueTypes));
  const find = (name: string): ApiType | undefined => {
    const known = types.get(name);
    const line = lines.get(name);
    if (known || line === undefined) return known;
    const type = line.startsWith('=') ? parseAlias(name, line.slice(1), find) : createStruct(name, line, find);
    types.set(name, type);
    return type;
  };
  return { find, names: () => [...lines.keys()] };
}

type Find = TypeTable['find'];

const opaqueTypes: Readonly<Record<string, ApiType>> = {
  'meta.Time': { kind: 'time', go: 'v1.Time' },
  'meta.MicroTime': { kind: 'microTime', go: 'v1.MicroTime' },
  'meta.FieldsV1': { kind: 'raw', go: 'v1.FieldsV1' },
  'resource.Quantity': { kind: 'quantity', go: 'resource.Quantity' },
  'intstr.IntOrString': { kind: 'intOrString', go: 'intstr.IntOrString' },
  'runtime.RawExtension': { kind: 'raw', go: 'runtime.RawExtension' },
  'apiextensions.JSON': { kind: 'raw', go: 'v1.JSON' },
  'apiextensions.JSONSchemaPropsOrArray': { kind: 'raw', go: 'v1.JSONSchemaPropsOrArray' },
  'apiextensions.JSONSchemaPropsOrBool': { kind: 'raw', go: 'v1.JSONSchemaPropsOrBool' },
  'apiextensions.JSONSchemaPropsOrStringArray': { kind: 'raw', go: 'v1.JSONSchemaPropsOrStringArray' },
  string: { kind: 'text', go: 'string' },
  bool: { kind: 'bool', go: 'bool' },
  int32: { kind: 'integer', go: 'int32', min: -(2 ** 31), max: 2 ** 31 - 1 },
  // The bounds of numbers. The integers between them and 2^63 are BigInts.
  int64: { kind: 'integer', go: 'int64', min: -(2 ** 63) + 1024, max: 2 ** 63 - 1024 },
  float64: { kind: 'float', go: 'float64' },
  '[]byte': { kind: 'bytes', go: '[]uint8' },
};

/** Types whose Go name is the name in the table; in the others, the version is the name of the package. */
const plainNames: ReadonlySet<string> = new Set(['types.UID', 'resource.Quantity', 'intstr.IntOrString', 'runtime.RawExtension']);

/** Converts "core.Service" to "v1.Service", and "autoscaling/v2.MetricSpec" to "v2.MetricSpec". */
const goName = (notation: string): string =>
  notation
    .replace(/\[\]byte/g, '[]uint8')
    .replace(/\b[a-z]+(?:\/(v\d))?\.([A-Z]\w*)/g, (name, version: string | undefined, type: string) =>
      plainNames.has(name) ? name : `${version ?? 'v1'}.${type}`,
    );

function parseAlias(name: string, text: string, find: Find): ApiType {
  const [target = '', ...values] = text.split('|');
  const type = parseType(target, find);
  if (type.kind === 'pointer') return type;
  return { ...type, go: goName(name), ...(values.length > 0 && { values }) } as ApiType;
}

function createStruct(name: string, text: string, find: Find): StructType {
  let fields: ReadonlyMap<string, Field> | undefined;
  return {
    kind: 'struct',
    name,
    go: goName(name),
    atomic: text.startsWith('!'),
    get fields() {
      fields ??= new Map(
        text
          .replace(/^!? ?/, '')
          .split(' ')
          .filter(Boolean)
          .map((each) => parseField(each, find)),
      );
      return fields;
    },
  };
}

const fieldPattern =
  /^([^?~!:]+)([?~!]*):([^@#%^=]+)((?:@\w+(?:#\d+)?)*)(?:#(\d+))?(?:%(set|atomic|map)(?:\(([\w,]+)\))?)?(?:\^([a-zA-Z,]+)(?:\((\w+)\))?)?(?:=(.*))?$/;

function parseField(text: string, find: Find): [string, Field] {
  const match = fieldPattern.exec(text);
  if (!match) throw new Error(`not a field: ${text}`);
  const [, name = '', flags = '', type = '', embedded = '', number, merging, keys, patchStrategy, patchMergeKey, defaultText] = match;
  const [omitEmpty, omitZero] = [flags.includes('?'), flags.includes('~')];
  const outer = embedded
    .split('@')
    .slice(1)
    .map((each) => each.split('#'));
  return [
    name,
    {
      name,
      type: parseType(type, find),
      omitEmpty,
      omitZero,
      required: flags.includes('!') === (omitEmpty || omitZero),
      embedded: outer.map(([goField = '']) => goField),
      numbers: number === undefined ? [] : [...outer.map(([, outerNumber]) => Number(outerNumber)), Number(number)],
      ...(merging !== undefined && {
        merging: merging === 'map' ? { kind: merging, keys: keys?.split(',') ?? [] } : ({ kind: merging } as Merging),
      }),
      ...(defaultText !== undefined && { default: JSON.parse(defaultText) }),
      ...(patchStrategy !== undefined && { patchStrategy }),
      ...(patchMergeKey !== undefined && { patchMergeKey }),
    },
  ];
}

function parseType(text: string, find: Find): ApiType {
  const known = find(text);
  if (known) return known;
  if (text.startsWith('*')) return { kind: 'pointer', to: parseType(text.slice(1), find) };
  if (text.startsWith('[]')) return { kind: 'list', go: goName(text), of: parseType(text.slice(2), find) };
  const map = /^map\[[^\]]+\](.*)$/.exec(text);
  if (!map) throw new Error(`not a type: ${text}`);
  return { kind: 'map', go: goName(text), of: parseType(map[1] as string, find) };
}
