import { isFields } from '../store/fields.ts';
import { common } from './descriptions.ts';
import { type Schema, within } from './schema.ts';
import { definitionName } from './type-names.ts';

/** What is published of the structural schema of a custom resource: the schema, with what every object has. */
export function customSchema(structural: Schema | undefined): Schema {
  const schema = structural ?? { 'x-kubernetes-preserve-unknown-fields': true };
  return withIdentity({ ...publish(schema), type: 'object' });
}

function publish(schema: Schema): Schema {
  const published: Schema = {
    ...schema,
    ...(schema['properties'] !== undefined && { properties: publishEach(schema['properties']) }),
    ...(isFields(schema['items']) && { items: publish(schema['items']) }),
    ...(isFields(schema['additionalProperties']) && { additionalProperties: publish(schema['additionalProperties']) }),
    ...(schema['x-kubernetes-int-or-string'] === true && schema['anyOf'] === undefined && { anyOf: intOrString }),
  };
  if (schema['x-kubernetes-embedded-resource'] !== true) return published;
  return withIdentity({ ...published, required: [...new Set([...identity, ...namesOf(schema['required'])])] });
}

const publishEach = (properties: unknown): Schema =>
  Object.fromEntries(Object.entries(properties ?? {}).map(([name, schema]) => [name, isFields(schema) ? publish(schema) : schema]));

const identity = ['kind', 'apiVersion'];

const intOrString = [{ type: 'integer' }, { type: 'string' }];

/** Puts what the server knows better than the definition in its place. */
const withIdentity = (schema: Schema): Schema => ({
  ...schema,
  properties: {
    ...(schema['properties'] as Schema | undefined),
    apiVersion: { description: common.get('apiVersion'), type: 'string' },
    kind: { description: common.get('kind'), type: 'string' },
    metadata: { description: common.get('metadata'), ...within(definitionName('meta.ObjectMeta')) },
  },
});

const namesOf = (value: unknown): readonly string[] => (Array.isArray(value) ? value : []);
