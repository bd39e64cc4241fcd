import { isFields } from '../store/fields.ts';
import { type Document, identityFields, info, securitySchemes } from './document.ts';
import { definitionNameOf, type Schema } from './schema.ts';

/** Merges the documents of all group versions into one OpenAPI 2 document. */
export function createVersionTwo(documents: readonly Document[]): Schema {
  const paths: [string, Schema][] = [];
  const definitions = new Map<string, Schema>();
  for (const document of documents) {
    for (const [path, item] of Object.entries(document.paths)) paths.push([path, downgradePathItem(item)]);
    for (const [name, schema] of Object.entries(document.schemas))
      if (!definitions.has(name)) definitions.set(name, downgradeDefinition(schema));
  }
  return {
    swagger: '2.0',
    info,
    paths: Object.fromEntries(paths.sort(compareByKey)),
    definitions: Object.fromEntries([...definitions].sort(compareByKey)),
    securityDefinitions: securitySchemes,
    security: [{ BearerToken: [] }],
  };
}

const compareByKey = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1);

/**
 * Reduces the schema of a kind. A custom resource that preserves unknown fields at its root becomes an object without properties, because
 * kubectl would refuse other fields. Mirrors buildKubeNative (apiextensions-apiserver/pkg/controller/openapi/builder/builder.go, 1.36).
 */
function downgradeDefinition(schema: Schema): Schema {
  if (!preservesUnknownFields(schema)) return downgrade(schema);
  return { type: 'object', ...pickField(schema, 'x-kubernetes-group-version-kind') };
}

/**
 * Reduces a schema to the keywords that OpenAPI 2 and its clients support. Mirrors ToStructuralOpenAPIV2
 * (apiextensions-apiserver/pkg/controller/openapi/v2/conversion.go, 1.36). A schema that is nullable or preserves unknown fields loses its
 * items and properties, because kubectl would enforce them. It also loses its type if it is nullable or the type is object.
 */
function downgrade(schema: Schema): Schema {
  const ref = findReference(schema);
  const { default: _, allOf: _all, anyOf: _any, oneOf, not: _not, nullable, ...rest } = schema;
  if (ref !== undefined) return { ...pickField(rest, 'description'), $ref: `#/definitions/${definitionNameOf(ref)}` };
  // IntOrString and Quantity: OpenAPI 2 has no oneOf.
  if (oneOf !== undefined && rest['type'] === undefined) return { ...rest, type: 'string' };
  if (nullable !== true && !preservesUnknownFields(rest)) return downgradeNested(rest);
  const { items, properties, type, ...others } = withoutEmbeddedFields(rest);
  return downgradeNested({ ...others, ...(nullable !== true && type !== 'object' && type !== undefined && { type }) });
}

const preservesUnknownFields = (schema: Schema): boolean => schema['x-kubernetes-preserve-unknown-fields'] === true;

/** Removes the identity fields, which the published schema of an embedded object requires in addition to the fields of the definition. */
function withoutEmbeddedFields(schema: Schema): Schema {
  const { required, ...rest } = schema;
  if (schema['x-kubernetes-embedded-resource'] !== true || !Array.isArray(required)) return schema;
  return { ...rest, required: required.filter((name) => !identityFields.includes(name)) };
}

/** Finds the reference in a schema: plain, or the only schema in allOf. */
function findReference({ $ref, allOf }: Schema): string | undefined {
  const [onlySchema, ...others] = Array.isArray(allOf) ? allOf : [];
  return ($ref ?? (others.length === 0 ? onlySchema?.$ref : undefined)) as string | undefined;
}

function downgradeNested(schema: Schema): Schema {
  const { items, properties, additionalProperties, required } = schema;
  const nullableNames = new Set(entries(properties).flatMap(([name, property]) => (property['nullable'] === true ? [name] : [])));
  const hasNullableValues = isFields(additionalProperties) && additionalProperties['nullable'] === true;
  const requiredNames = Array.isArray(required) && !hasNullableValues ? required.filter((name) => !nullableNames.has(name)) : [];
  const { required: _, ...rest } = schema;
  return {
    ...rest,
    ...(requiredNames.length > 0 && { required: requiredNames }),
    ...(isFields(items) && { items: downgrade(items) }),
    ...(properties !== undefined && { properties: Object.fromEntries(entries(properties).map(([name, each]) => [name, downgrade(each)])) }),
    ...(isFields(additionalProperties) && { additionalProperties: downgrade(additionalProperties) }),
  };
}

const entries = (value: unknown): readonly (readonly [string, Schema])[] =>
  Object.entries((value ?? {}) as Readonly<Record<string, Schema>>).filter(([, each]) => isFields(each));

const pickField = (schema: Schema, name: string): Schema => (schema[name] === undefined ? {} : { [name]: schema[name] });

const downgradePathItem = (item: Schema): Schema =>
  Object.fromEntries(
    Object.entries(item).map(([method, operation]) => [
      method,
      method === 'parameters' ? (operation as readonly Schema[]).map(downgradeParameter) : downgradeOperation(operation as Schema),
    ]),
  );

function downgradeParameter(parameter: Schema): Schema {
  const { schema, ...rest } = parameter;
  return { ...rest, ...(schema as Schema) };
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>;

function downgradeOperation(operation: Schema): Schema {
  const { parameters, requestBody, responses, ...rest } = operation;
  const body = requestBody as { readonly content: Content; readonly required?: boolean } | undefined;
  const allParameters = [
    ...(body ? [createBodyParameter(body)] : []),
    ...((parameters ?? []) as readonly Schema[]).map(downgradeParameter),
  ];
  const responseEntries = Object.entries(
    responses as Readonly<Record<string, { readonly description: string; readonly content?: Content }>>,
  );
  return {
    ...rest,
    consumes: body ? Object.keys(body.content) : ['*/*'],
    produces: [...new Set(responseEntries.flatMap(([, { content }]) => Object.keys(content ?? {})))],
    schemes: ['https'],
    ...(allParameters.length > 0 && { parameters: allParameters }),
    responses: Object.fromEntries(
      responseEntries.map(([code, { description, content }]) => [code, { description, ...downgradeContent(content) }]),
    ),
  };
}

const createBodyParameter = ({ content, required }: { readonly content: Content; readonly required?: boolean }): Schema => ({
  name: 'body',
  in: 'body',
  ...(required && { required }),
  ...downgradeContent(content),
});

/** Downgrades the schema of the first content type, because all content types have the same schema. */
function downgradeContent(content: Content | undefined): Schema {
  const [firstContent] = Object.values(content ?? {});
  return firstContent ? { schema: downgrade(firstContent.schema) } : {};
}
