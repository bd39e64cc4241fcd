import { decode } from '../../api-types/codec/decode.ts';
import { structType } from '../../api-types/index.ts';
import { type ServedResource, toServedResource } from '../../registry/catalog.ts';
import { createBuiltInStrategy, type ResourceStrategy } from '../../registry/index.ts';
import { metadataFields } from '../../resources/description.ts';
import {
  child,
  copyOf,
  type Draft,
  ensureChild,
  type Fields,
  has,
  isDeeper,
  isFields,
  list,
  sameValue,
  text,
  texts,
} from '../../resources/field/read.ts';
import type { Description } from '../../resources/index.ts';
import { column, nameColumn } from '../../resources/table/columns.ts';
import type { Clock } from '../../store/index.ts';
import { startTermination } from './conditions.ts';
import { type Definition, definitionsResource } from './definition.ts';
import { validateDefinition, validateDefinitionStatus, validateDefinitionUpdate } from './validate/definition.ts';
import { findDefinitionWarnings } from './warnings.ts';

/** Maximum nesting depth of a definition. Schemas have a lower limit, maxSchemaDepth, with a clearer error. */
const maxDepth = 1000;

/** The strategy of the resource `customresourcedefinitions` itself. */
export function createDefinitionStrategy(clock: Pick<Clock, 'now'>): ResourceStrategy {
  const baseStrategy = createBuiltInStrategy(definitionDescription);
  return {
    ...baseStrategy,
    decode(body) {
      if (isDeeper(body, maxDepth)) return { object: { metadata: {} }, unknown: [], problem: 'exceeded max depth' };
      const decodedBody = baseStrategy.decode(body);
      const problem = decodedBody.problem ?? decodeSchemas(decodedBody.object as Record<string, unknown>);
      return problem === undefined ? decodedBody : { ...decodedBody, problem };
    },
    // On deletion the grace period keeps the definition in the store until `decorate` adds the cleanup finalizer, in the same turn of the event
    // loop.
    gracePeriod: () => 1,
    decorate: (object) => startTermination(object, clock.now()),
  };
}

export const createDefinitionsCatalogEntry = (): ServedResource => toServedResource(definitionDescription);

/** Mirrors the strategy of CustomResourceDefinitions (apiextensions-apiserver/pkg/registry/customresourcedefinition, 1.36). */
export const definitionDescription: Description = {
  resource: definitionsResource,
  singular: 'customresourcedefinition',
  shortNames: ['crd', 'crds'],
  categories: ['api-extensions'],
  type: structType('apiextensions.CustomResourceDefinition'),
  strategy: {
    resetFields: ['status'],
    defaults: applyDefaults,
    prepareForCreate(draft) {
      ensureChild(draft, 'metadata')['generation'] = 1;
      draft['status'] = {};
      recordStorageVersion(draft);
    },
    prepareForUpdate(draft, old) {
      draft['status'] = copyOf(old['status']) ?? {};
      if (!sameValue(draft['spec'], old['spec'])) {
        const metadata = ensureChild(draft, 'metadata');
        metadata['generation'] = Number(metadata['generation'] ?? 0) + 1;
      }
      recordStorageVersion(draft);
    },
    validate: (object, causes) => validateDefinition(asDefinition(object), causes),
    validateUpdate: (object, old, causes) => validateDefinitionUpdate(asDefinition(object), asDefinition(old), causes),
    warnings: (object, old) => findDefinitionWarnings(asDefinition(object), old && asDefinition(old)),
    createOnUpdate: false,
    unconditionalUpdate: false,
  },
  subresources: {
    status: {
      resetFields: ['spec'],
      prepareForUpdate(draft, old) {
        draft['spec'] = copyOf(old['spec']);
      },
      validateUpdate: (object, old, causes) => validateDefinitionStatus(asDefinition(object), asDefinition(old), causes),
    },
  },
  selectableFields: metadataFields(false),
  columns: [nameColumn, column('Created At', 'date')],
  cells: (object) => [text(child(object, 'metadata'), 'name'), text(child(object, 'metadata'), 'creationTimestamp')],
};

const asDefinition = (object: Fields): Definition => object as unknown as Definition;

/** Mirrors SetDefaults_CustomResourceDefinition. */
function applyDefaults(draft: Draft): void {
  const spec = ensureChild(draft, 'spec');
  const names = ensureChild(spec, 'names');
  const kind = text(names, 'kind');
  if (text(names, 'singular') === '' && kind !== '') names['singular'] = kind.toLowerCase();
  if (text(names, 'listKind') === '' && kind !== '') names['listKind'] = `${kind}List`;
  if (!has(spec, 'conversion')) spec['conversion'] = { strategy: 'None' };
  const config = child(child(child(spec, 'conversion'), 'webhook'), 'clientConfig');
  if (has(config, 'service') && !has(child(config, 'service'), 'port')) ensureChild(config as Draft, 'service')['port'] = 443;
  if (texts(child(draft, 'status'), 'storedVersions').length === 0) recordStorageVersion(draft);
}

/** Adds the storage version to status.storedVersions. */
function recordStorageVersion(draft: Draft): void {
  const storage = list(child(draft, 'spec'), 'versions').find((version) => version['storage'] === true);
  if (!storage) return;
  const status = ensureChild(draft, 'status');
  const storedVersions = texts(status, 'storedVersions');
  const name = text(storage, 'name');
  if (!storedVersions.includes(name)) status['storedVersions'] = [...storedVersions, name];
}

export const maxSchemaDepth = 200;
export const maxSchemaCount = 50_000;

/**
 * Decodes in place the fields that hold a schema or another type, for example `items` and `additionalProperties`. As upstream, unknown
 * fields in them are not reported.
 * @returns the error message, or undefined on success
 */
export function decodeSchemas(definition: Draft): string | undefined {
  const spec = definition['spec'];
  if (!isFields(spec)) return undefined;
  const state: State = { schemaCount: 0 };
  try {
    for (const version of list(spec, 'versions')) {
      const schema = isFields(version['schema']) ? version['schema']['openAPIV3Schema'] : undefined;
      if (isFields(schema)) visitSchema(schema as Draft, 'spec.versions.schema.openAPIV3Schema', state, 1);
    }
  } catch (error) {
    if (error instanceof UnreadableSchema) return error.message;
    throw error;
  }
  return undefined;
}

interface State {
  schemaCount: number;
}

class UnreadableSchema extends Error {}

/**
 * Decodes the fields of a schema and of its subschemas in place.
 * @param goPath Go's field path, without list indices and map keys
 * @throws UnreadableSchema if there are too many or too deep schemas, or if a field has the wrong type
 */
function visitSchema(schema: Draft, goPath: string, state: State, depth: number): void {
  state.schemaCount += 1;
  if (depth > maxSchemaDepth) throw new UnreadableSchema(`the schema is more than ${maxSchemaDepth} levels deep`);
  if (state.schemaCount > maxSchemaCount) throw new UnreadableSchema(`there are more than ${maxSchemaCount} schemas in the definition`);
  if (Array.isArray(schema['enum'])) schema['enum'] = schema['enum'].map((each: unknown) => each ?? null);
  decodeUnionField(schema, 'items', goPath, (value) => isFields(value) || Array.isArray(value) || undefined);
  for (const name of ['additionalProperties', 'additionalItems']) decodeUnionField(schema, name, goPath, requireSchemaOrBool);
  const dependencies = schema['dependencies'];
  if (isFields(dependencies))
    for (const key of Object.keys(dependencies)) decodeUnionField(dependencies as Draft, key, `${goPath}.dependencies`, () => true);
  for (const [name, child] of childrenOf(schema)) visitSchema(child, `${goPath}.${name}`, state, depth + 1);
}

function requireSchemaOrBool(value: unknown): boolean {
  if (typeof value === 'boolean' || isFields(value)) return true;
  throw new UnreadableSchema('boolean or JSON schema expected');
}

/** Decodes a field that holds a schema, a list of schemas or another type. @param isAccepted whether to keep the value; may throw UnreadableSchema */
function decodeUnionField(schema: Draft, name: string, goPath: string, isAccepted: (value: unknown) => boolean | undefined): void {
  const value = schema[name];
  if (value === undefined) return;
  if (!isAccepted(value)) delete schema[name];
  else if (isFields(value)) schema[name] = decodeSchema(value, `${goPath}.${name}`);
  else if (Array.isArray(value) && value.some(isFields)) schema[name] = value.map((each) => decodeSchema(each, `${goPath}.${name}`));
}

function decodeSchema(value: unknown, goPath: string): Draft {
  const { value: decodedValue, problem } = decode(structType('apiextensions.JSONSchemaProps'), value);
  if (problem !== undefined)
    throw new UnreadableSchema(problem.replace('Go struct field JSONSchemaProps.', `Go struct field JSONSchemaProps.${goPath}.`));
  return decodedValue;
}

function childrenOf(schema: Draft): (readonly [string, Draft])[] {
  const directChildren = (name: string): (readonly [string, Draft])[] => {
    const value = schema[name];
    const values = Array.isArray(value) ? value : [value];
    return values.filter(isFields).map((each) => [name, each as Draft] as const);
  };
  const mapValues = (name: string): (readonly [string, Draft])[] =>
    Object.values(isFields(schema[name]) ? schema[name] : {})
      .filter(isFields)
      .map((each) => [name, each as Draft] as const);
  return [
    ...['items', 'allOf', 'oneOf', 'anyOf', 'not', 'additionalProperties', 'additionalItems'].flatMap(directChildren),
    ...['properties', 'patternProperties', 'definitions', 'dependencies'].flatMap(mapValues),
  ];
}
