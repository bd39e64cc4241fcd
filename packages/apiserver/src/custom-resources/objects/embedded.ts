import { decode } from '../../api-types/codec/decode.ts';
import { encode } from '../../api-types/codec/printer.ts';
import { structType } from '../../api-types/index.ts';
import { dns1035Label, pathSegment, pathSegmentPrefix } from '../../formats/names.ts';
import { collectCauses, type FieldCause } from '../../resources/field/causes.ts';
import { type Fields, isFields, text } from '../../resources/field/read.ts';
import { validateMetadata } from '../../resources/metadata/validate.ts';
import { additionalPropertiesOf, itemsOf, propertyOf, type Schema } from '../schema/schema.ts';
import { printValue } from '../validation/problem.ts';
import { mapFields, mapItems } from './prune.ts';

/** Decoded metadata, or the problem that prevents decoding. */
interface DecodedMetadata {
  readonly metadata: Fields;
  readonly unknown: readonly string[];
  readonly problem?: string;
}

const metadataType = structType('meta.ObjectMeta');

/** Decodes metadata as Go decodes an ObjectMeta. */
export function decodeMetadata(value: unknown): DecodedMetadata {
  const { value: metadata, unknown: unknownPaths, problem } = decode(metadataType, value);
  return { metadata: encode(metadataType, metadata), unknown: unknownPaths, ...(problem !== undefined && { problem }) };
}

/** An embedded object that cannot be decoded. The whole body is rejected, with this message. */
export class UnreadableObject extends Error {}

/**
 * Coerces the metadata of embedded objects to ObjectMeta; adds the paths of unknown fields to `unknownPaths`. Mirrors CoerceWithOptions
 * (apiextensions-apiserver/pkg/apiserver/schema/objectmeta, 1.36).
 * @throws UnreadableObject if apiVersion, kind or metadata is malformed
 */
export function coerceEmbedded(value: unknown, schema: Schema | undefined, path: string, unknownPaths: string[]): unknown {
  if (schema === undefined) return value;
  if (Array.isArray(value)) {
    const items = itemsOf(schema);
    return mapItems(value, (item, i) => coerceEmbedded(item, items, `${path}[${i}]`, unknownPaths));
  }
  return isFields(value) ? coerceFields(value, schema, path, unknownPaths) : value;
}

function coerceFields(value: Fields, schema: Schema, path: string, unknownPaths: string[]): Fields {
  const additionalSchema = additionalPropertiesOf(schema);
  return mapFields(value, (field, name) => {
    const property = propertyOf(schema, name);
    const fieldPath = property || !additionalSchema ? childPath(path, name) : `${path}[${name}]`;
    const typedField = schema['x-kubernetes-embedded-resource'] ? coerceMeta(name, field, childPath(path, name), unknownPaths) : field;
    return coerceEmbedded(typedField, property ?? additionalSchema, fieldPath, unknownPaths);
  });
}

const childPath = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

function coerceMeta(name: string, value: unknown, path: string, unknownPaths: string[]): unknown {
  if ((name === 'apiVersion' || name === 'kind') && typeof value !== 'string') {
    throw new UnreadableObject(`${path}: Invalid value: ${printValue(value)}: must be a string`);
  }
  if (name !== 'metadata') return value;
  const decodedMetadata = decodeMetadata(value);
  if (decodedMetadata.problem !== undefined)
    throw new UnreadableObject(`${path}: Invalid value: ${printValue(value)}: ${decodedMetadata.problem}`);
  unknownPaths.push(...decodedMetadata.unknown.map((each) => `${path}.${each}`));
  return decodedMetadata.metadata;
}

/**
 * Validates apiVersion, kind and metadata of embedded objects. Mirrors Validate (apiextensions-apiserver/pkg/apiserver/schema/objectmeta,
 * 1.36).
 */
export function validateEmbedded(value: unknown, schema: Schema | undefined, path: string): FieldCause[] {
  if (schema === undefined) return [];
  if (Array.isArray(value)) {
    const items = itemsOf(schema);
    return items ? value.flatMap((item, i) => validateEmbedded(item, items, `${path}[${i}]`)) : [];
  }
  if (!isFields(value)) return [];
  const objectCauses = schema['x-kubernetes-embedded-resource'] ? [...validateObject(value, path)] : [];
  const additionalSchema = additionalPropertiesOf(schema);
  return Object.keys(value).reduce((causes, name) => {
    const property = propertyOf(schema, name);
    if (!property && !additionalSchema) return causes;
    for (const cause of validateEmbedded(value[name], property ?? additionalSchema, property ? childPath(path, name) : `${path}[${name}]`))
      causes.push(cause);
    return causes;
  }, objectCauses);
}

function validateObject(object: Fields, path: string): readonly FieldCause[] {
  const causes = collectCauses();
  const fieldPath = (name: string): string => childPath(path, name);
  for (const name of ['apiVersion', 'kind']) if (!Object.hasOwn(object, name)) causes.required(fieldPath(name));
  const { apiVersion, kind, metadata } = object;
  if (apiVersion === '') causes.invalid(fieldPath('apiVersion'), '', 'must not be empty');
  else if (typeof apiVersion === 'string' && apiVersion.split('/').length > 2) {
    causes.invalid(fieldPath('apiVersion'), apiVersion, `unexpected GroupVersion string: ${apiVersion}`);
  }
  if (kind === '') causes.invalid(fieldPath('kind'), '', 'must not be empty');
  else if (typeof kind === 'string') {
    const messages = dns1035Label(kind.toLowerCase());
    if (messages.length > 0)
      causes.invalid(fieldPath('kind'), kind, `may have mixed case, but should otherwise match: ${messages.join(',')}`);
  }
  if (isFields(metadata)) causes.add(validateEmbeddedMetadata(metadata, fieldPath('metadata')));
  return causes.list;
}

/** As upstream, a missing name is valid, and "fakename" is validated instead. */
function validateEmbeddedMetadata(metadata: Fields, path: string): readonly FieldCause[] {
  const causes = collectCauses();
  const metadataWithName = text(metadata, 'name') === '' ? { ...metadata, name: 'fakename' } : metadata;
  const namespaced = text(metadata, 'namespace') !== '';
  validateMetadata({ metadata: metadataWithName }, { namespaced, name: pathSegment, prefix: pathSegmentPrefix }, causes);
  return causes.list.map((cause) => ({ ...cause, field: cause.field.replace(/^metadata/, path) }));
}
