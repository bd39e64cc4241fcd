import { decode } from '../../resources/codec/decode.ts';
import { type Draft, isFields, list } from '../../resources/field/read.ts';
import { schemaType } from './types.ts';

/** How deep schemas may stand in each other, and how many there may be in a definition. */
export const maxSchemaDepth = 200;
export const maxSchemas = 50_000;

/**
 * Reads, in a definition that is decoded, what may be a schema or something else: `items`, `additionalProperties` and the like. As in
 * the original these have decoders of their own, which do not tell of unknown fields.
 * @returns why it cannot be read
 */
export function readSchemas(definition: Draft): string | undefined {
  const spec = definition['spec'];
  if (!isFields(spec)) return undefined;
  const state: State = { count: 0 };
  try {
    for (const version of list(spec, 'versions')) {
      const schema = isFields(version['schema']) ? version['schema']['openAPIV3Schema'] : undefined;
      if (isFields(schema)) readSchema(schema as Draft, 'spec.versions.schema.openAPIV3Schema', state, 1);
    }
  } catch (error) {
    if (error instanceof Unreadable) return error.message;
    throw error;
  }
  return undefined;
}

interface State {
  count: number;
}

class Unreadable extends Error {}

/** @param names Go's path, which knows no places in lists and no keys of maps */
function readSchema(schema: Draft, names: string, state: State, depth: number): void {
  state.count += 1;
  if (depth > maxSchemaDepth) throw new Unreadable(`the schema is more than ${maxSchemaDepth} levels deep`);
  if (state.count > maxSchemas) throw new Unreadable(`there are more than ${maxSchemas} schemas in the definition`);
  if (Array.isArray(schema['enum'])) schema['enum'] = schema['enum'].map((each: unknown) => each ?? null);
  readUnion(schema, 'items', names, (value) => isFields(value) || Array.isArray(value) || undefined);
  for (const name of ['additionalProperties', 'additionalItems']) readUnion(schema, name, names, isSchemaOrBool);
  const dependencies = schema['dependencies'];
  if (isFields(dependencies))
    for (const key of Object.keys(dependencies)) readUnion(dependencies as Draft, key, `${names}.dependencies`, () => true);
  for (const [name, child] of childrenOf(schema)) readSchema(child, `${names}.${name}`, state, depth + 1);
}

function isSchemaOrBool(value: unknown): boolean {
  if (typeof value === 'boolean' || isFields(value)) return true;
  throw new Unreadable('boolean or JSON schema expected');
}

/** @param accepts tells what is kept; anything else counts for nothing */
function readUnion(schema: Draft, name: string, names: string, accepts: (value: unknown) => boolean | undefined): void {
  const value = schema[name];
  if (value === undefined) return;
  if (!accepts(value)) delete schema[name];
  else if (isFields(value)) schema[name] = decoded(value, `${names}.${name}`);
  else if (Array.isArray(value) && value.some(isFields)) schema[name] = value.map((each) => decoded(each, `${names}.${name}`));
}

function decoded(value: unknown, names: string): Draft {
  const { value: read, problem } = decode(schemaType, value);
  if (problem !== undefined)
    throw new Unreadable(problem.replace('Go struct field JSONSchemaProps.', `Go struct field JSONSchemaProps.${names}.`));
  return read;
}

function childrenOf(schema: Draft): (readonly [string, Draft])[] {
  const named = (name: string): (readonly [string, Draft])[] => {
    const value = schema[name];
    const all = Array.isArray(value) ? value : [value];
    return all.filter(isFields).map((each) => [name, each as Draft] as const);
  };
  const mapped = (name: string): (readonly [string, Draft])[] =>
    Object.values(isFields(schema[name]) ? schema[name] : {})
      .filter(isFields)
      .map((each) => [name, each as Draft] as const);
  return [
    ...['items', 'allOf', 'oneOf', 'anyOf', 'not', 'additionalProperties', 'additionalItems'].flatMap(named),
    ...['properties', 'patternProperties', 'definitions', 'dependencies'].flatMap(mapped),
  ];
}
