import { type CelValueMaker, isSame } from '@kube-endpoints/cel/internal';
import { parseDuration } from 'kube-endpoints/internal';
import type { Environment } from '../../cel/environment.ts';
import { isDate, isDateTime, isDuration, nanosecondsIn } from '../../formats/times.ts';
import { isFields } from '../../resources/field/read.ts';
import { additionalOf, itemsOf, propertiesOf, type Schema } from '../schema/schema.ts';

/** The environment in which types are declared; `types` counts them to give each a unique name. */
export interface Declaring {
  readonly environment: Environment;
  readonly values: Pick<CelValueMaker, 'duration'>;
  types: number;
}

/** The CEL type of a schema. */
export interface Declared {
  /** The type's name in the CEL library. */
  readonly type: string;
  /** Converts a value to the type. A value that does not match the schema is returned as it is, so that expressions which read it fail. */
  convert(value: unknown): unknown;
  /** The declared properties of an object, by their names in the schema. */
  readonly properties?: ReadonlyMap<string, Declared>;
  /** The elements of a list, or the values of additional properties. */
  readonly elements?: Declared;
}

/**
 * Declares the types of a schema and its subschemas in an environment.
 *
 * Mirrors SchemaDeclType and UnstructuredToVal (apiserver/pkg/cel/common, 1.36).
 * @param isRoot whether the schema is that of a whole object, for which name and generateName are always declared
 * @returns undefined if expressions cannot access such a value
 */
export function declare(declaring: Declaring, schema: Schema, isRoot: boolean): Declared | undefined {
  if (schema['x-kubernetes-int-or-string']) return intOrString;
  const whole = isRoot ? withMetadata(schema) : schema;
  return kinds[whole.type ?? '']?.(declaring, whole);
}

type Kind = (declaring: Declaring, schema: Schema) => Declared | undefined;

const kinds: Readonly<Record<string, Kind>> = {
  array: declareList,
  object: (declaring, schema) => (additionalOf(schema) ? declareMap(declaring, schema) : declareObject(declaring, schema)),
  string: declareText,
  boolean: () => ({ type: 'bool', convert: same }),
  number: () => ({ type: 'double', convert: same }),
  integer: () => ({ type: 'int', convert: integer }),
};

const same = (value: unknown): unknown => value;
const integer = (value: unknown): unknown => (typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : value);

const intOrString: Declared = { type: 'dyn', convert: integer };

const formats: Readonly<Record<string, Declared>> = {
  byte: { type: 'bytes', convert: bytesOf },
  date: { type: 'google.protobuf.Timestamp', convert: dateOf },
  'date-time': { type: 'google.protobuf.Timestamp', convert: timeOf },
};

function declareText({ values }: Declaring, { format = '' }: Schema): Declared {
  if (format !== 'duration') return formats[format] ?? { type: 'string', convert: same };
  const convert = (value: unknown): unknown => {
    const nanoseconds = typeof value === 'string' ? nanosecondsOf(value) : undefined;
    return nanoseconds === undefined ? value : values.duration(nanoseconds);
  };
  return { type: 'google.protobuf.Duration', convert };
}

/**
 * The type of list elements and map values, which may be null; null properties count as absent. Nullable types are dynamic, so they are
 * checked only at evaluation.
 */
function seenIn({ nullable }: Schema, declared: Declared): Pick<Declared, 'convert' | 'type'> {
  if (!nullable) return declared;
  const isPlain = /^(int|double|bool|string|bytes)$/.test(declared.type);
  return {
    type: isPlain ? `dyn<${declared.type}>` : 'dyn',
    convert: (value) => (value === null ? null : declared.convert(value)),
  };
}

function declareList(declaring: Declaring, schema: Schema): Declared | undefined {
  const items = itemsOf(schema);
  const elements = items && declare(declaring, items, items['x-kubernetes-embedded-resource'] === true);
  if (!elements) return undefined;
  const seen = seenIn(items, elements);
  const convert = (value: unknown): unknown => (Array.isArray(value) ? value.map((each) => seen.convert(each)) : value);
  return { type: `list<${seen.type}>`, convert, elements };
}

function declareMap(declaring: Declaring, schema: Schema): Declared | undefined {
  const values = additionalOf(schema) as Schema;
  const elements = declare(declaring, values, values['x-kubernetes-embedded-resource'] === true);
  if (!elements) return undefined;
  const seen = seenIn(values, elements);
  const convert = (value: unknown): unknown =>
    isFields(value) ? new Map(Object.keys(value).map((key) => [key, seen.convert(value[key])])) : value;
  return { type: `map<string, ${seen.type}>`, convert, elements };
}

function declareObject(declaring: Declaring, schema: Schema): Declared {
  const properties = new Map<string, Declared>();
  for (const [name, property] of propertiesOf(schema)) {
    const declared = declare(declaring, property, property['x-kubernetes-embedded-resource'] === true);
    if (declared) properties.set(name, declared);
  }
  const visible = [...properties].flatMap(([name, declared]) => {
    const key = escaped(name);
    return key === undefined ? [] : [{ name, key, declared }];
  });
  // the library distinguishes object types by their classes
  const Values = class extends Map<string, unknown> {};
  const { environment } = declaring;
  declaring.types += 1;
  const type = `object${declaring.types}`;
  environment.registerType(type, { ctor: Values, fields: Object.fromEntries(visible.map(({ key, declared }) => [key, declared.type])) });
  environment.registerOperator(`${type} == ${type}`, isSame as never);
  environment.registerOperator(`${type} == null`, ((object: unknown) => object === null) as never);
  const convert = (value: unknown): unknown => {
    if (!isFields(value)) return value;
    const values = new Values();
    for (const { name, key, declared } of visible) {
      const own = Object.hasOwn(value, name) ? (value[name] ?? undefined) : undefined;
      if (own !== undefined) values.set(key, declared.convert(own));
    }
    return values;
  };
  return { type, convert, properties };
}

/** Adds the fields that every object has. Mirrors WithTypeAndObjectMeta. */
function withMetadata(schema: Schema): Schema {
  const text: Schema = { type: 'string' };
  const metadata: Schema = { type: 'object', properties: { name: text, generateName: text } };
  return { ...schema, properties: { ...schema.properties, apiVersion: text, kind: text, metadata } };
}

/** The name of a property in expressions; undefined if it cannot be expressed. Mirrors Escape (apiserver/pkg/cel/escaping.go, 1.36). */
export function escaped(name: string): string | undefined {
  if (reserved.has(name)) return `__${name}__`;
  if (!/^[a-zA-Z_./-][\w./-]*$/.test(name)) return undefined;
  return name.replace(/__|[./-]/g, (part) => `__${words[part]}__`);
}

const words: Readonly<Record<string, string>> = { __: 'underscores', '.': 'dot', '-': 'dash', '/': 'slash' };

const reserved: ReadonlySet<string> = new Set([
  ...['true', 'false', 'null', 'in', 'as', 'break', 'const', 'continue', 'else', 'for', 'function', 'if', 'import', 'let', 'loop'],
  ...['package', 'namespace', 'return', 'var', 'void', 'while'],
]);

/** Decodes base64. Returns the value itself if it is not a string. */
export function bytesOf(value: unknown): unknown {
  return typeof value === 'string' ? new Uint8Array(Buffer.from(value, 'base64')) : value;
}

function dateOf(value: unknown): unknown {
  return typeof value === 'string' && isDate(value) ? new Date(`${value}T00:00:00Z`) : value;
}

function timeOf(value: unknown): unknown {
  return typeof value === 'string' && isDateTime(value) ? new Date(value) : value;
}

/**
 * Nanoseconds of a Go duration, or of numbers with units in words, added up; undefined if malformed. Mirrors strfmt.ParseDuration
 * (kube-openapi, as of 1.36).
 */
export function nanosecondsOf(text: string): bigint | undefined {
  if (!isDuration(text)) return undefined;
  try {
    return BigInt(Math.round(parseDuration(text) * 1e6));
  } catch {
    const parts = [...text.matchAll(/(\d+)\s*([A-Za-zµ]+)/g)];
    return parts.reduce((sum, [, count = '0', unit = '']) => sum + BigInt(count) * (nanosecondsIn(unit.toLowerCase()) ?? 0n), 0n);
  }
}
