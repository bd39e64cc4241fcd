import { getOwn, isMap, type JsonMap, valueAt } from '../json.ts';
import { builtInType } from './built-in.ts';
import { type Atom, deducedType, type Field, inlineType, type ListAtom, type MapAtom, type Scalar, type TypeRef, untyped } from './type.ts';

/**
 * Derives the type of custom resource objects from `openAPIV3Schema` and the fields the API server adds: `schemaconv.ToSchemaFromOpenAPI`
 * (1.36, kube-openapi/pkg/schemaconv/openapi.go). Without a schema, objects are merged field by field.
 */
export function structuralType(schema: unknown, preserveUnknownFields = false): TypeRef {
  if (!isMap(schema)) return deducedType;
  return lazyType(() => convert({ ...schema, type: 'object', properties: withTypeAndMetadata(schema) }, preserveUnknownFields));
}

/** Converts lazily, so that a definition costs nothing until one of its objects is applied. */
function lazyType(make: () => Atom): TypeRef {
  let atom: Atom | undefined;
  return {
    resolve() {
      atom ??= make();
      return atom;
    },
  };
}

function convert(schema: JsonMap, parentPreservesUnknown: boolean): Atom {
  const preservesUnknown = parentPreservesUnknown || getOwn(schema, 'x-kubernetes-preserve-unknown-fields') === true;
  const type = getOwn(schema, 'type');
  if (type === 'object') return { map: convertMap(schema, preservesUnknown) };
  if (type === 'array') return { list: convertList(schema, preservesUnknown) };
  if (typeof type === 'string') return { scalar: convertScalar(type, getOwn(schema, 'format')) };
  return { scalar: 'untyped', list: convertList(schema, preservesUnknown), map: convertMap(schema, preservesUnknown) };
}

function convertMap(schema: JsonMap, preservesUnknown: boolean): MapAtom {
  const properties =
    getOwn(schema, 'x-kubernetes-embedded-resource') === true ? withTypeAndMetadata(schema) : (getOwn(schema, 'properties') ?? {});
  const fields = new Map<string, Field>();
  for (const [name, property] of Object.entries(properties)) {
    fields.set(name, { type: convertReference(property, preservesUnknown), default: valueAt(property, 'default') });
  }
  return {
    fields,
    element: convertElement(schema, preservesUnknown, fields.size === 0),
    atomic: getOwn(schema, 'x-kubernetes-map-type') === 'atomic',
  };
}

function convertElement(schema: JsonMap, preservesUnknown: boolean, hasNoProperties: boolean): TypeRef | undefined {
  const additional = getOwn(schema, 'additionalProperties');
  if (isMap(additional)) return convertReference(additional, preservesUnknown);
  return additional === true || (additional === undefined && (preservesUnknown || hasNoProperties)) ? deducedType : undefined;
}

function convertList(schema: JsonMap, preservesUnknown: boolean): ListAtom {
  const items = getOwn(schema, 'items');
  const listType = getOwn(schema, 'x-kubernetes-list-type');
  const keys = getOwn(schema, 'x-kubernetes-list-map-keys');
  return {
    element: items === undefined ? untyped : convertReference(items, preservesUnknown),
    atomic: listType !== 'set' && listType !== 'map',
    keys: listType === 'map' && Array.isArray(keys) ? keys : [],
  };
}

const convertReference = (schema: unknown, preservesUnknown: boolean): TypeRef =>
  metadataTypes.get(schema) ?? (isMap(schema) ? lazyType(() => convert(schema, preservesUnknown)) : inlineType({ scalar: 'untyped' }));

function convertScalar(type: string, format: unknown): Scalar {
  if (type === 'integer' || type === 'number') return 'numeric';
  if (type === 'boolean') return 'boolean';
  return type === 'string' && (format === undefined || format === '' || format === 'byte') ? 'string' : 'untyped';
}

const metadataProperty = {};
const metadataTypes: ReadonlyMap<unknown, TypeRef> = new Map([[metadataProperty, builtInType('meta.ObjectMeta') ?? deducedType]]);

const withTypeAndMetadata = (schema: JsonMap): JsonMap => ({
  ...(getOwn(schema, 'properties') as JsonMap | undefined),
  apiVersion: { type: 'string' },
  kind: { type: 'string' },
  metadata: metadataProperty,
});
