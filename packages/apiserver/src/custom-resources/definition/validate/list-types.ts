import type { Causes } from '../../../resources/field/causes.ts';
import { itemsOf, propertyOf, type Schema } from '../../schema/schema.ts';
import { invalidValue } from './causes.ts';

/** x-kubernetes-map-type, -list-type and -list-map-keys: the part of ValidateCustomResourceDefinitionOpenAPISchema about them (1.36). */
export function validateListTypes(schema: Schema, field: string, causes: Causes): void {
  const { type = '' } = schema;
  const mapType = schema['x-kubernetes-map-type'];
  const listType = schema['x-kubernetes-list-type'];
  if (mapType !== undefined) {
    validateOwnType(type, 'object', 'x-kubernetes-map-type', field, causes);
    if (mapType !== 'atomic' && mapType !== 'granular')
      causes.notSupported(`${field}.x-kubernetes-map-type`, mapType, ['atomic', 'granular']);
  }
  if (listType !== undefined) {
    if (!validateOwnType(type, 'array', 'x-kubernetes-list-type', field, causes) && listType === 'set') validateSet(schema, field, causes);
    if (!['atomic', 'set', 'map'].includes(listType))
      causes.notSupported(`${field}.x-kubernetes-list-type`, listType, ['atomic', 'set', 'map']);
  }
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  if (keys.length > 0 && listType !== 'map') {
    const why = 'must be map if x-kubernetes-list-map-keys is non-empty';
    if (listType === undefined) causes.required(`${field}.x-kubernetes-list-type`, why);
    else causes.invalid(`${field}.x-kubernetes-list-type`, listType, why);
  }
  if (listType === 'map') validateMap(schema, keys, field, causes);
  if (listType === 'map' || listType === 'set') validateItems(schema, listType, keys, field, causes);
}

/** @returns whether it is wrong */
function validateOwnType(type: string, wanted: string, name: string, field: string, causes: Causes): boolean {
  const why = `must be ${wanted} if ${name} is specified`;
  if (type === '') causes.required(`${field}.type`, why);
  else if (type !== wanted) causes.invalid(`${field}.type`, type, why);
  return type !== wanted;
}

function validateSet(schema: Schema, field: string, causes: Causes): void {
  const items = itemsOf(schema);
  const listType = items?.['x-kubernetes-list-type'];
  const mapType = items?.['x-kubernetes-map-type'];
  const why = 'must be atomic as item of a list with x-kubernetes-list-type=set';
  if (items?.type === 'array' && listType !== undefined && listType !== 'atomic') {
    causes.invalid(`${field}.items.x-kubernetes-list-type`, listType, why);
  }
  // The original shows the type of lists here, too.
  if (items?.type === 'object' && mapType !== 'atomic') causes.invalid(`${field}.items.x-kubernetes-map-type`, listType ?? null, why);
}

function validateMap(schema: Schema, keys: readonly string[], field: string, causes: Causes): void {
  const at = `${field}.x-kubernetes-list-map-keys`;
  if (keys.length === 0) causes.required(at, 'must not be empty if x-kubernetes-list-type is map');
  if (schema.items === undefined) causes.required(`${field}.items`, 'must have a schema if x-kubernetes-list-type is map');
  const items = itemsOf(schema);
  if (!items) return;
  if (items.type !== 'object') {
    causes.invalid(`${field}.items.type`, items.type ?? '', "must be object if parent array's x-kubernetes-list-type is map");
    return;
  }
  for (const [i, key] of keys.entries()) {
    const property = propertyOf(items, key);
    if (!property) invalidValue(causes, at, keys, 'entries must all be names of item properties');
    else if (property.type === 'array' || property.type === 'object') {
      const why = "must be a scalar type if parent array's x-kubernetes-list-type is map";
      causes.invalid(`${field}.items.properties[${key}].type`, items.type, why);
    }
    if (keys.indexOf(key) < i) invalidValue(causes, at, keys, 'must not contain duplicate entries');
  }
}

/** Mirrors validateMapListKeysMapSet. */
function validateItems(schema: Schema, listType: string, keys: readonly string[], field: string, causes: Causes): void {
  const items = itemsOf(schema);
  if (!items) return;
  if (items.nullable) causes.forbidden(`${field}.items.nullable`, `cannot be nullable when x-kubernetes-list-type is ${listType}`);
  if (listType !== 'map') return;
  for (const key of keys) {
    const property = propertyOf(items, key);
    if (!property) continue;
    const at = `${field}.items.properties[${key}]`;
    const why = 'this property is in x-kubernetes-list-map-keys, so it';
    if (!items.required?.includes(key) && property.default === undefined) {
      causes.required(`${at}.default`, `${why} must have a default or be a required property`);
    }
    if (property.nullable) causes.forbidden(`${at}.nullable`, `${why} cannot be nullable`);
  }
}
