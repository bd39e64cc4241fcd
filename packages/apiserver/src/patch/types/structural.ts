import { at, isMap, type JsonMap, own } from '../json.ts';
import { builtInType } from './built-in.ts';
import { type Atom, deduced, type Field, inline, type ListAtom, type MapAtom, type Scalar, type TypeRef, untyped } from './type.ts';

/**
 * Derives the type of custom resource objects from `openAPIV3Schema` and the fields the API server adds: `schemaconv.ToSchemaFromOpenAPI`
 * (1.36, kube-openapi/pkg/schemaconv/openapi.go). Without a schema, objects are merged field by field.
 */
export function structuralType(schema: unknown, preserveUnknownFields = false): TypeRef {
  if (!isMap(schema)) {
    return deduced;
  }
  return once(() => convert({ ...schema, type: 'object', properties: withIdentity(schema) }, preserveUnknownFields));
}

/** Converts lazily, so that a definition costs nothing until one of its objects is applied. */
function once(make: () => Atom): TypeRef {
  let made: Atom | undefined;
  return {
    resolve() {
      made ??= make();
      return made;
    },
  };
}

function convert(schema: JsonMap, preserve: boolean): Atom {
  const preserved = preserve || own(schema, 'x-kubernetes-preserve-unknown-fields') === true;
  const type = own(schema, 'type');
  if (type === 'object') {
    return { map: mapOf(schema, preserved) };
  }
  if (type === 'array') {
    return { list: listOf(schema, preserved) };
  }
  if (typeof type === 'string') {
    return { scalar: scalarOf(type, own(schema, 'format')) };
  }
  return { scalar: 'untyped', list: listOf(schema, preserved), map: mapOf(schema, preserved) };
}

function mapOf(schema: JsonMap, preserve: boolean): MapAtom {
  const properties = own(schema, 'x-kubernetes-embedded-resource') === true ? withIdentity(schema) : (own(schema, 'properties') ?? {});
  const fields = new Map<string, Field>();
  for (const [name, property] of Object.entries(properties)) {
    fields.set(name, { type: refTo(property, preserve), default: at(property, 'default') });
  }
  return { fields, element: elementOf(schema, preserve, fields.size === 0), atomic: own(schema, 'x-kubernetes-map-type') === 'atomic' };
}

function elementOf(schema: JsonMap, preserve: boolean, isFree: boolean): TypeRef | undefined {
  const additional = own(schema, 'additionalProperties');
  if (isMap(additional)) {
    return refTo(additional, preserve);
  }
  return additional === true || (additional === undefined && (preserve || isFree)) ? deduced : undefined;
}

function listOf(schema: JsonMap, preserve: boolean): ListAtom {
  const items = own(schema, 'items');
  const listType = own(schema, 'x-kubernetes-list-type');
  const keys = own(schema, 'x-kubernetes-list-map-keys');
  return {
    element: items === undefined ? untyped : refTo(items, preserve),
    atomic: listType !== 'set' && listType !== 'map',
    keys: listType === 'map' && Array.isArray(keys) ? keys : [],
  };
}

const refTo = (schema: unknown, preserve: boolean): TypeRef =>
  metadata.get(schema) ?? (isMap(schema) ? once(() => convert(schema, preserve)) : inline({ scalar: 'untyped' }));

function scalarOf(type: string, format: unknown): Scalar {
  if (type === 'integer' || type === 'number') {
    return 'numeric';
  }
  if (type === 'boolean') {
    return 'boolean';
  }
  return type === 'string' && (format === undefined || format === '' || format === 'byte') ? 'string' : 'untyped';
}

const metadataProperty = {};
const metadata: ReadonlyMap<unknown, TypeRef> = new Map([[metadataProperty, builtInType('ObjectMeta') ?? deduced]]);

const withIdentity = (schema: JsonMap): JsonMap => ({
  ...(own(schema, 'properties') as JsonMap | undefined),
  apiVersion: { type: 'string' },
  kind: { type: 'string' },
  metadata: metadataProperty,
});
