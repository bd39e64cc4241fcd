import { type Causes, collectCauses, type FieldCause } from '../../../resources/field/causes.ts';
import { sameValue } from '../../../resources/field/read.ts';
import { additionalOf, itemsOf, propertiesOf, propertyOf, type Schema } from '../../schema/schema.ts';
import { validateAlternatives, validateCompleteness } from './nested.ts';

export type Level = 'field' | 'item' | 'root';

/** What keeps a schema from being structural. Mirrors ValidateStructural (apiextensions-apiserver/pkg/apiserver/schema, 1.36). */
export function validateStructural(schema: Schema, field: string): readonly FieldCause[] {
  const causes = collectCauses();
  validateNode(schema, 'root', field, causes);
  validateCompleteness(schema, field, causes);
  const text = ({ field: at, message }: FieldCause): string => `${at}: ${message}`;
  return [...causes.list].sort((a, b) => (text(a) < text(b) ? -1 : 1));
}

function validateNode(schema: Schema, level: Level, field: string, causes: Causes): void {
  const items = itemsOf(schema);
  if (schema.type === 'array' && !items) causes.required(`${field}.items`, 'must be specified');
  if (items) validateNode(items, 'item', `${field}.items`, causes);
  for (const [name, property] of propertiesOf(schema)) validateNode(property, 'field', `${field}.properties[${name}]`, causes);
  if (schema.additionalProperties !== undefined) {
    if (level === 'root') causes.forbidden(`${field}.additionalProperties`, 'must not be used at the root');
    const additional = additionalOf(schema);
    if (additional) validateNode(additional, 'field', `${field}.additionalProperties`, causes);
  }
  validateExtensions(schema, field, causes);
  validateValues(schema, field, causes);
  validateType(schema, level, field, causes);
  validateMeta(schema, level, field, causes);
  const isEmbedded = schema['x-kubernetes-embedded-resource'] === true;
  if (isEmbedded && !schema['x-kubernetes-preserve-unknown-fields'] && propertiesOf(schema).length === 0) {
    const why = 'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields';
    causes.required(`${field}.properties`, why);
  }
}

function validateExtensions(schema: Schema, field: string, causes: Causes): void {
  if (!schema['x-kubernetes-int-or-string']) return;
  for (const name of ['x-kubernetes-preserve-unknown-fields', 'x-kubernetes-embedded-resource'] as const) {
    if (schema[name]) causes.invalid(`${field}.${name}`, true, 'must be false if x-kubernetes-int-or-string is true');
  }
}

function validateType(schema: Schema, level: Level, field: string, causes: Causes): void {
  const { type = '' } = schema;
  const isEmbedded = schema['x-kubernetes-embedded-resource'] === true;
  if (isEmbedded && type !== 'object') {
    const why = 'must be object if x-kubernetes-embedded-resource is true';
    if (type === '') causes.required(`${field}.type`, why);
    else causes.invalid(`${field}.type`, type, why);
  } else if (type === '' && !schema['x-kubernetes-int-or-string'] && !schema['x-kubernetes-preserve-unknown-fields']) {
    causes.required(`${field}.type`, `must not be empty ${places[level]}`);
  }
  if (isEmbedded && schema.additionalProperties !== undefined) {
    causes.forbidden(`${field}.additionalProperties`, 'must not be used if x-kubernetes-embedded-resource is set');
  }
  if (level === 'root' && type !== '' && type !== 'object') causes.invalid(`${field}.type`, type, 'must be object at the root');
}

const places: Readonly<Record<Level, string>> = {
  root: 'at the root',
  item: 'for specified array items',
  field: 'for specified object fields',
};

function validateMeta(schema: Schema, level: Level, field: string, causes: Causes): void {
  if (level !== 'root' && !schema['x-kubernetes-embedded-resource']) return;
  for (const name of ['kind', 'apiVersion']) {
    const property = propertyOf(schema, name);
    if (property && property.type !== 'string') causes.invalid(`${field}.properties[${name}].type`, property.type ?? '', 'must be string');
  }
  const metadata = propertyOf(schema, 'metadata');
  if (!metadata) return;
  if (metadata.type !== 'object') causes.invalid(`${field}.properties[metadata].type`, metadata.type ?? '', 'must be object');
  if (level !== 'root') return;
  const { type: _, default: __, properties = {}, ...rest } = metadata;
  const others = Object.keys(properties).filter((name) => name !== 'name' && name !== 'generateName');
  if (others.length > 0 || Object.keys(rest).length > 0) {
    const why = 'must not specify anything other than name and generateName, but metadata is implicitly specified';
    causes.forbidden(`${field}.properties[metadata]`, why);
  }
}

const intOrString: readonly Schema[] = [{ type: 'integer' }, { type: 'string' }];

/** The one place where alternatives may say types. */
const isIntOrString = (schemas: readonly Schema[] | undefined): boolean => sameValue(schemas, intOrString);

function validateValues(schema: Schema, field: string, causes: Causes): void {
  validateAlternatives(schema, isIntOrString(schema.anyOf), isIntOrString(schema.allOf?.[0]?.anyOf), field, causes);
}
