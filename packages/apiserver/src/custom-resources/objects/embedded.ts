import { decode } from '../../resources/codec/decode.ts';
import { encode } from '../../resources/codec/encode.ts';
import { isFields } from '../../resources/field/read.ts';
import { structType } from '../../resources/schema/index.ts';
import { additionalOf, itemsOf, propertyOf, type Schema } from '../schema/schema.ts';
import { printValue } from '../validation/problem.ts';
import { setField } from './fields.ts';
import { mapped } from './prune.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Metadata as it is stored, or why it cannot be read. */
export interface ReadMetadata {
  readonly metadata: Fields;
  readonly unknown: readonly string[];
  readonly problem?: string;
}

const metadataType = structType('meta.ObjectMeta');

/** Reads metadata as Go reads an ObjectMeta. */
export function readMetadata(value: unknown): ReadMetadata {
  const { value: metadata, unknown, problem } = decode(metadataType, value);
  return { metadata: encode(metadataType, metadata), unknown, ...(problem !== undefined && { problem }) };
}

/** Says what keeps an embedded object from being read: the whole body is refused. */
export class UnreadableObject extends Error {}

/**
 * Brings the metadata of embedded objects into the form of an ObjectMeta. Mirrors CoerceWithOptions
 * (apiextensions-apiserver/pkg/apiserver/schema/objectmeta, 1.36).
 * @throws UnreadableObject
 */
export function coerceEmbedded(value: unknown, schema: Schema | undefined, path: string, unknown: string[]): unknown {
  if (schema === undefined) return value;
  if (Array.isArray(value)) {
    const items = itemsOf(schema);
    return mapped(value, (item, i) => coerceEmbedded(item, items, `${path}[${i}]`, unknown));
  }
  return isFields(value) ? coerceFields(value, schema, path, unknown) : value;
}

function coerceFields(value: Fields, schema: Schema, path: string, unknown: string[]): Fields {
  const coerced: Record<string, unknown> = {};
  const additional = additionalOf(schema);
  let changed = false;
  for (const name of Object.keys(value)) {
    const before = value[name];
    const property = propertyOf(schema, name);
    const at = property || !additional ? childOf(path, name) : `${path}[${name}]`;
    const own = schema['x-kubernetes-embedded-resource'] ? coerceMeta(name, before, childOf(path, name), unknown) : before;
    const after = coerceEmbedded(own, property ?? additional, at, unknown);
    if (after !== before) changed = true;
    setField(coerced, name, after);
  }
  return changed ? coerced : value;
}

const childOf = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

function coerceMeta(name: string, value: unknown, path: string, unknown: string[]): unknown {
  if ((name === 'apiVersion' || name === 'kind') && typeof value !== 'string') {
    throw new UnreadableObject(`${path}: Invalid value: ${printValue(value)}: must be a string`);
  }
  if (name !== 'metadata') return value;
  const read = readMetadata(value);
  if (read.problem !== undefined) throw new UnreadableObject(`${path}: Invalid value: ${printValue(value)}: ${read.problem}`);
  unknown.push(...read.unknown.map((each) => `${path}.${each}`));
  return read.metadata;
}
