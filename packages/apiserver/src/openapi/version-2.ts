import { isFields } from '../store/fields.ts';
import { type Document, info, securitySchemes } from './document.ts';
import { referred, type Schema } from './schema.ts';

/** Merges the documents of all group versions into one OpenAPI 2 document. */
export function versionTwo(documents: readonly Document[]): Schema {
  const paths: [string, Schema][] = [];
  const definitions = new Map<string, Schema>();
  for (const document of documents) {
    for (const [path, item] of Object.entries(document.paths)) paths.push([path, pathItem(item)]);
    for (const [name, schema] of Object.entries(document.schemas)) if (!definitions.has(name)) definitions.set(name, downgrade(schema));
  }
  return {
    swagger: '2.0',
    info,
    paths: Object.fromEntries(paths.sort(byKey)),
    definitions: Object.fromEntries([...definitions].sort(byKey)),
    securityDefinitions: securitySchemes,
    security: [{ BearerToken: [] }],
  };
}

const byKey = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1);

/**
 * Reduces a schema to what OpenAPI 2 has and its clients support. Schemas that are nullable or preserve unknown fields lose their type,
 * because kubectl would enforce it (`ToStructuralOpenAPIV2`, apiextensions-apiserver/pkg/controller/openapi/v2/conversion.go, 1.36).
 */
function downgrade(schema: Schema): Schema {
  const ref = referenceOf(schema);
  const { default: _, allOf: _all, anyOf: _any, oneOf, not: _not, nullable, ...rest } = schema;
  if (ref !== undefined) return { ...pick(rest, 'description'), $ref: `#/definitions/${referred(ref)}` };
  if (oneOf !== undefined && rest['type'] === undefined) return { ...rest, type: 'string' };
  const unknown = nullable === true || rest['x-kubernetes-preserve-unknown-fields'] === true;
  const { items, properties, required, type, ...others } = rest;
  if (unknown) return { ...nested(others), ...(nullable !== true && type !== 'object' && type !== undefined && { type }) };
  return nested(rest);
}

/** The reference in a schema, whether plain or within allOf. */
function referenceOf({ $ref, allOf }: Schema): string | undefined {
  const [only, ...others] = Array.isArray(allOf) ? allOf : [];
  return ($ref ?? (others.length === 0 ? only?.$ref : undefined)) as string | undefined;
}

function nested(schema: Schema): Schema {
  const { items, properties, additionalProperties, required } = schema;
  const nullable = new Set(entries(properties).flatMap(([name, property]) => (property['nullable'] === true ? [name] : [])));
  const left = Array.isArray(required) ? required.filter((name) => !nullable.has(name)) : [];
  const { required: _, ...rest } = schema;
  return {
    ...rest,
    ...(left.length > 0 && { required: left }),
    ...(isFields(items) && { items: downgrade(items) }),
    ...(properties !== undefined && { properties: Object.fromEntries(entries(properties).map(([name, each]) => [name, downgrade(each)])) }),
    ...(isFields(additionalProperties) && { additionalProperties: downgrade(additionalProperties) }),
  };
}

const entries = (value: unknown): readonly (readonly [string, Schema])[] =>
  Object.entries((value ?? {}) as Readonly<Record<string, Schema>>).filter(([, each]) => isFields(each));

const pick = (schema: Schema, name: string): Schema => (schema[name] === undefined ? {} : { [name]: schema[name] });

const pathItem = (item: Schema): Schema =>
  Object.fromEntries(
    Object.entries(item).map(([method, operation]) => [
      method,
      method === 'parameters' ? (operation as readonly Schema[]).map(parameterOf) : operationOf(operation as Schema),
    ]),
  );

function parameterOf(parameter: Schema): Schema {
  const { schema, ...rest } = parameter;
  return { ...rest, ...(schema as Schema) };
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>;

function operationOf(operation: Schema): Schema {
  const { parameters, requestBody, responses, ...rest } = operation;
  const body = requestBody as { readonly content: Content; readonly required?: boolean } | undefined;
  const answers = Object.entries(responses as Readonly<Record<string, { readonly description: string; readonly content?: Content }>>);
  return {
    ...rest,
    consumes: body ? Object.keys(body.content) : ['*/*'],
    produces: [...new Set(answers.flatMap(([, { content }]) => Object.keys(content ?? {})))],
    schemes: ['https'],
    parameters: [...(body ? [bodyOf(body)] : []), ...(parameters as readonly Schema[]).map(parameterOf)],
    responses: Object.fromEntries(answers.map(([code, { description, content }]) => [code, { description, ...schemaOf(content) }])),
  };
}

const bodyOf = ({ content, required }: { readonly content: Content; readonly required?: boolean }): Schema => ({
  name: 'body',
  in: 'body',
  ...(required && { required }),
  ...schemaOf(content),
});

/** All content types have the same schema. */
function schemaOf(content: Content | undefined): Schema {
  const [first] = Object.values(content ?? {});
  return first ? { schema: downgrade(first.schema) } : {};
}
