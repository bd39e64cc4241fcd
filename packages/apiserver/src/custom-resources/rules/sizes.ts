import type { Range } from '../../cel/cost/range.ts';
import { additionalPropertiesOf, itemsOf, propertiesOf, type Schema } from '../schema/schema.ts';
import { escapePropertyName } from './declare.ts';

/** How large the values of a schema can be in a request. */
export interface SchemaSize {
  /** The greatest number of characters, items or entries; 0 for scalars and objects. */
  readonly maxElements: number;
  /** The least number of bytes in JSON. */
  readonly minBytes: number;
  readonly elements?: SchemaSize;
  /** Whether the keys are any text. */
  readonly isMap?: boolean;
  /** By their names in expressions. */
  readonly properties?: ReadonlyMap<string, SchemaSize>;
}

/** The greatest size of a request. */
export const maxRequestBytes: number = 3 * 1024 * 1024;

/**
 * Computes the size of a schema; undefined if expressions cannot access its values.
 *
 * Mirrors the sizes of SchemaDeclType (apiserver/pkg/cel/common/schemas.go, 1.36).
 * @param isRoot whether the schema is that of a whole object
 */
export function createSize(schema: Schema, isRoot: boolean): SchemaSize | undefined {
  if (schema['x-kubernetes-int-or-string']) {
    return { minBytes: 1, maxElements: schema.maxLength === undefined ? maxRequestBytes - 2 : nonNegative(schema.maxLength) * 4 };
  }
  return sizesByType[schema.type ?? '']?.(schema, isRoot);
}

const nonNegative = (value: number): number => Math.max(value, 0);

const sizesByType: Readonly<Record<string, (schema: Schema, isRoot: boolean) => SchemaSize | undefined>> = {
  boolean: () => ({ minBytes: 4, maxElements: 0 }),
  number: () => ({ minBytes: 1, maxElements: 0 }),
  integer: () => ({ minBytes: 1, maxElements: 0 }),
  string: sizeOfText,
  array(schema) {
    const items = itemsOf(schema);
    const elements = items && createSize(items, items['x-kubernetes-embedded-resource'] === true);
    if (!elements) return undefined;
    const { maxItems } = schema;
    return {
      minBytes: 2,
      maxElements: maxItems === undefined ? Math.floor((maxRequestBytes - 2) / (elements.minBytes + 1)) : nonNegative(maxItems),
      elements,
    };
  },
  object: (schema, isRoot) => (additionalPropertiesOf(schema) ? sizeOfMap(schema) : sizeOfObject(schema, isRoot)),
};

/** Sizes in JSON, including quotes. */
const sizesByFormat: Readonly<Record<string, SchemaSize>> = {
  duration: { minBytes: 3, maxElements: 32 },
  date: { minBytes: 12, maxElements: 12 },
  'date-time': { minBytes: 21, maxElements: 32 },
};

function sizeOfText({ format = '', maxLength, enum: values = [] }: Schema): SchemaSize {
  const known = sizesByFormat[format];
  if (known) return known;
  // A character has up to four bytes, but a byte of a text in base64 is one.
  if (maxLength !== undefined) return { minBytes: 2, maxElements: nonNegative(maxLength) * (format === 'byte' ? 1 : 4) };
  const lengths = values.map((value) => (typeof value === 'string' ? Buffer.byteLength(value) : 0));
  return { minBytes: 2, maxElements: format !== 'byte' && lengths.length > 0 ? Math.max(...lengths) : maxRequestBytes - 2 };
}

function sizeOfMap(schema: Schema): SchemaSize | undefined {
  const values = additionalPropertiesOf(schema) as Schema;
  const elements = createSize(values, values['x-kubernetes-embedded-resource'] === true);
  if (!elements) return undefined;
  const { maxProperties } = schema;
  return {
    minBytes: 2,
    maxElements: maxProperties === undefined ? Math.floor((maxRequestBytes - 2) / (elements.minBytes + 6)) : nonNegative(maxProperties),
    elements,
    isMap: true,
  };
}

function sizeOfObject(schema: Schema, isRoot: boolean): SchemaSize {
  const properties = new Map<string, SchemaSize>();
  let minBytes = 2;
  const fields = isRoot ? [...propertiesOf(schema).filter(([name]) => !rootProperties.has(name)), ...rootProperties] : propertiesOf(schema);
  for (const [name, property] of fields) {
    const size = createSize(property, property['x-kubernetes-embedded-resource'] === true);
    if (!size) continue;
    const key = escapePropertyName(name);
    if (key !== undefined) properties.set(key, size);
    if (schema.required?.includes(name) && property.default === undefined) minBytes += Buffer.byteLength(name) + size.minBytes + 4;
  }
  return { minBytes, maxElements: 0, properties };
}

const text: Schema = { type: 'string' };
const rootProperties: ReadonlyMap<string, Schema> = new Map([
  ['apiVersion', text],
  ['kind', text],
  ['metadata', { type: 'object', properties: { name: text, generateName: text } }],
]);

/**
 * Returns the size of values at a path from a variable, which stands for the schema.
 *
 * Mirrors sizeEstimator.EstimateSize (apiextensions-apiserver/pkg/apiserver/schema/cel/compilation.go, 1.36).
 */
export function sizeAtPath(root: SchemaSize, path: readonly string[]): Range | undefined {
  let size: SchemaSize | undefined = root;
  for (const name of path.slice(1)) {
    if (name === '@items' || name === '@values') size = size.elements;
    else if (name === '@keys') size = size.isMap ? keySize : undefined;
    else size = size.properties?.get(name);
    if (!size) return undefined;
  }
  return { min: 0n, max: BigInt(size.maxElements) };
}

/** As upstream, the keys of maps have no size. */
const keySize: SchemaSize = { minBytes: 2, maxElements: 0 };
