import type { Causes, FieldCause } from '../../../resources/field/causes.ts';
import { sameValue } from '../../../resources/field/read.ts';
import { aggregateMessage } from '../../../resources/status.ts';
import { coerceEmbedded, UnreadableObject, validateEmbedded } from '../../objects/embedded.ts';
import { prune } from '../../objects/prune.ts';
import { itemsOf, propertiesOf, type Schema } from '../../schema/schema.ts';
import { check, createPatternCache } from '../../validation/check.ts';
import { addInvalidValue, toCauses } from '../../validation/problem.ts';

/** Checks that defaults are valid and contain no unknown fields. Mirrors ValidateDefaults (apiextensions-apiserver/.../defaulting, 1.36). */
export function validateDefaults(schema: Schema, field: string, causes: Causes): void {
  validateNode({ ...schema, 'x-kubernetes-embedded-resource': true }, field, { isInsideMeta: false, surround: toRootObject }, causes);
}

interface Context {
  /** Whether the schema is that of apiVersion, kind or metadata, or nested in one. */
  readonly isInsideMeta: boolean;
  /** The schema of the closest object with metadata. */
  readonly root?: Schema;
  /** Creates an object of the root schema that contains the value at the position of the current schema. */
  surround(value: unknown): Readonly<Record<string, unknown>>;
}

const typeMeta = { apiVersion: 'validation/v1', kind: 'Validation' };

const toRootObject = (value: unknown): Readonly<Record<string, unknown>> => ({ ...typeMeta, ...(value as object) });

function validateNode(schema: Schema, field: string, parentContext: Context, causes: Causes): void {
  const isEmbedded = schema['x-kubernetes-embedded-resource'] === true;
  const context: Context = isEmbedded ? { isInsideMeta: false, root: schema, surround: toRootObject } : parentContext;
  if (schema.default !== undefined && schema.default !== null) {
    if (context.isInsideMeta) validateInMeta(schema, field, context, causes);
    else validateDefault(schema, field, causes);
  }
  const items = itemsOf(schema);
  if (items) validateNode(items, `${field}.items`, { ...context, surround: (value) => context.surround([value]) }, causes);
  for (const [name, property] of propertiesOf(schema)) {
    const isInsideMeta = context.isInsideMeta || (isEmbedded && ['metadata', 'apiVersion', 'kind'].includes(name));
    const surround: Context['surround'] = (value) => context.surround({ [name]: value });
    validateNode(property, `${field}.properties[${name}]`, { ...context, isInsideMeta, surround }, causes);
  }
}

function validateInMeta(schema: Schema, field: string, { root, surround }: Context, causes: Causes): void {
  const path = `${field}.default`;
  const object = surround(schema.default);
  const coercion = tryCoerceEmbedded(object, root, '');
  if (typeof coercion === 'string') {
    addInvalidValue(causes, path, schema.default, `must result in valid metadata: ${coercion}`);
    return;
  }
  const embeddedCauses = validateEmbedded(object, root, '');
  if (embeddedCauses.length > 0)
    addInvalidValue(causes, path, schema.default, `must result in valid metadata: ${aggregateMessage(embeddedCauses)}`);
  else causes.add(causesOfValue(schema, path));
}

function validateDefault(schema: Schema, field: string, causes: Causes): void {
  const path = `${field}.default`;
  const isEmbedded = schema['x-kubernetes-embedded-resource'] === true;
  if (!sameValue(prune(schema.default, schema, isEmbedded), schema.default)) {
    addInvalidValue(causes, path, schema.default, 'must not have unknown fields');
  }
  const coercion = tryCoerceEmbedded(schema.default, schema, path);
  if (typeof coercion === 'string') {
    causes.add([toFieldCause(coercion)]);
    return;
  }
  const embeddedCauses = validateEmbedded(schema.default, schema, path);
  causes.add(embeddedCauses.length > 0 ? embeddedCauses : causesOfValue(schema, path));
}

const causesOfValue = (schema: Schema, path: string): readonly FieldCause[] =>
  toCauses(check(createPatternCache(), schema, schema.default, '').problems, path);

/** Coerces the metadata of embedded objects. Returns the value, or the message if coercion fails. */
function tryCoerceEmbedded(value: unknown, schema: Schema | undefined, path: string): { readonly value: unknown } | string {
  try {
    return { value: coerceEmbedded(value, schema, path, []) };
  } catch (error) {
    if (error instanceof UnreadableObject) return error.message;
    throw error;
  }
}

/** Splits a message of the form "field: problem". */
function toFieldCause(message: string): FieldCause {
  const separator = message.indexOf(': ');
  return { reason: 'FieldValueInvalid', field: message.slice(0, separator), message: message.slice(separator + 2) };
}
