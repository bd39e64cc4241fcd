import type { Schema } from '../../schema/schema.ts';

/** Why a schema cannot even be read as a structural one. Mirrors NewStructural (apiextensions-apiserver/pkg/apiserver/schema, 1.36). */
export function structuralProblem(schema: Schema): string | undefined {
  const own = unsupported(schema);
  if (own !== undefined) return own;
  const nested = [...(schema.not ? [schema.not] : []), ...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  const inNested = firstProblem(nested);
  if (inNested !== undefined) return inNested;
  if (schema['x-kubernetes-preserve-unknown-fields'] === false) {
    return "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined";
  }
  if (Array.isArray(schema.items)) return schema.items.length > 0 ? "OpenAPIV3Schema 'items' must be a schema, but is an array" : undefined;
  const { items, properties = {}, additionalProperties } = schema;
  return firstProblem([
    ...(items ? [items as Schema] : []),
    ...Object.values(properties),
    ...(typeof additionalProperties === 'object' ? [additionalProperties] : []),
  ]);
}

function firstProblem(schemas: readonly Schema[]): string | undefined {
  for (const schema of schemas) {
    const problem = structuralProblem(schema);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function unsupported(schema: Schema): string | undefined {
  const found = refused.find(({ json }) => schema[json] !== undefined);
  return found && `OpenAPIV3Schema '${found.shown}' is not supported`;
}

const refused: readonly { readonly json: keyof Schema; readonly shown: string }[] = [
  { json: 'id', shown: 'id' },
  { json: '$schema', shown: 'schema' },
  { json: '$ref', shown: '$ref' },
  { json: 'patternProperties', shown: 'patternProperties' },
  { json: 'dependencies', shown: 'dependencies' },
  { json: 'additionalItems', shown: 'additionalItems' },
  { json: 'definitions', shown: 'definitions' },
];
