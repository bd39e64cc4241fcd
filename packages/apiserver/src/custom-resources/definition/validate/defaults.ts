import { type Causes, collectCauses, type FieldCause } from '../../../resources/field/causes.ts';
import { sameValue } from '../../../resources/field/read.ts';
import { aggregateMessage } from '../../../resources/status.ts';
import { causesOfEmbedded, coerceEmbedded, UnreadableObject } from '../../objects/embedded.ts';
import { prune } from '../../objects/prune.ts';
import { itemsOf, propertiesOf, type Schema } from '../../schema/schema.ts';
import { check, createChecking } from '../../validation/check.ts';
import { causesOf, invalidValue } from '../../validation/problem.ts';

/** Defaults must be valid and contain no unknown fields. Mirrors ValidateDefaults (apiextensions-apiserver/.../defaulting, 1.36). */
export function validateDefaults(schema: Schema, field: string, causes: Causes): void {
  validateNode({ ...schema, 'x-kubernetes-embedded-resource': true }, field, { insideMeta: false, surround: asRoot }, causes);
}

interface Context {
  /** Whether the schema is that of apiVersion, kind or metadata, or nested in one. */
  readonly insideMeta: boolean;
  /** The schema of the closest object with metadata. */
  readonly root?: Schema;
  /** Wraps a value into an object of the root schema, at the position of the current schema. */
  surround(value: unknown): Readonly<Record<string, unknown>>;
}

const typeMeta = { apiVersion: 'validation/v1', kind: 'Validation' };

const asRoot = (value: unknown): Readonly<Record<string, unknown>> => ({ ...typeMeta, ...(value as object) });

function validateNode(schema: Schema, field: string, outer: Context, causes: Causes): void {
  const isEmbedded = schema['x-kubernetes-embedded-resource'] === true;
  const context: Context = isEmbedded ? { insideMeta: false, root: schema, surround: asRoot } : outer;
  if (schema.default !== undefined && schema.default !== null) {
    if (context.insideMeta) validateInMeta(schema, field, context, causes);
    else validateDefault(schema, field, causes);
  }
  const items = itemsOf(schema);
  if (items) validateNode(items, `${field}.items`, { ...context, surround: (value) => context.surround([value]) }, causes);
  for (const [name, property] of propertiesOf(schema)) {
    const insideMeta = context.insideMeta || (isEmbedded && ['metadata', 'apiVersion', 'kind'].includes(name));
    const surround: Context['surround'] = (value) => context.surround({ [name]: value });
    validateNode(property, `${field}.properties[${name}]`, { ...context, insideMeta, surround }, causes);
  }
}

function validateInMeta(schema: Schema, field: string, { root, surround }: Context, causes: Causes): void {
  const at = `${field}.default`;
  const object = surround(schema.default);
  const coerced = coercedOrProblem(object, root, '');
  if (typeof coerced === 'string') {
    invalidValue(causes, at, schema.default, `must result in valid metadata: ${coerced}`);
    return;
  }
  const found = causesOfEmbedded(object, root, '');
  if (found.length > 0) invalidValue(causes, at, schema.default, `must result in valid metadata: ${aggregateMessage(found)}`);
  else causes.add(causesOfValue(schema, at));
}

function validateDefault(schema: Schema, field: string, causes: Causes): void {
  const at = `${field}.default`;
  const isEmbedded = schema['x-kubernetes-embedded-resource'] === true;
  if (!sameValue(prune(schema.default, schema, isEmbedded), schema.default)) {
    invalidValue(causes, at, schema.default, 'must not have unknown fields');
  }
  const coerced = coercedOrProblem(schema.default, schema, at);
  if (typeof coerced === 'string') {
    causes.add([unreadable(coerced)]);
    return;
  }
  const found = causesOfEmbedded(schema.default, schema, at);
  causes.add(found.length > 0 ? found : causesOfValue(schema, at));
}

const causesOfValue = (schema: Schema, at: string): readonly FieldCause[] =>
  causesOf(check(createChecking(), schema, schema.default, '').problems, at);

/** The value with coerced metadata, or the message if that fails. */
function coercedOrProblem(value: unknown, schema: Schema | undefined, path: string): { readonly value: unknown } | string {
  try {
    return { value: coerceEmbedded(value, schema, path, []) };
  } catch (error) {
    if (error instanceof UnreadableObject) return error.message;
    throw error;
  }
}

/** Splits a message of the form "field: problem". */
function unreadable(message: string): FieldCause {
  const causes = collectCauses();
  const end = message.indexOf(': ');
  causes.add([{ reason: 'FieldValueInvalid', field: message.slice(0, end), message: message.slice(end + 2) }]);
  return causes.list[0] as FieldCause;
}
