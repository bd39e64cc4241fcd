import type { ServedResource, ServedSubresource } from '../registry/catalog.ts';
import { isFields } from '../store/fields.ts';
import type { Definitions } from './definitions.ts';
import { common, listDescription } from './descriptions.ts';
import { pathsOf, type ResourceDefinitions } from './paths.ts';
import { type GroupVersionKind, refTo, type Schema, within } from './schema.ts';
import { customName, definitionName } from './type-names.ts';

/** An OpenAPI 3 document. */
export interface Document {
  readonly paths: Readonly<Record<string, Schema>>;
  readonly schemas: Readonly<Record<string, Schema>>;
}

/** The document of one group version. */
export function documentOf(resources: readonly ServedResource[], definitions: Definitions): Document {
  definitions.addNamed('meta.DeleteOptions', deleteOptionsOf(resources));
  definitions.addNamed('meta.Status', [{ group: '', version: 'v1', kind: 'Status' }]);
  const paths = resources.map((served) => pathsOf(served, define(served, definitions)));
  definitions.set(definitionName('meta.Patch'), {
    description: 'A change to an object, in the form that the content type says.',
    type: 'object',
  });
  const sorted = paths.flatMap((each) => Object.entries(each)).sort(([a], [b]) => (a < b ? -1 : 1));
  return { paths: Object.fromEntries(sorted), schemas: definitions.all() };
}

/** DeleteOptions are also registered in the group version of the deleted resource. */
function deleteOptionsOf(resources: readonly ServedResource[]): readonly GroupVersionKind[] {
  const core = { group: '', version: 'v1', kind: 'DeleteOptions' };
  const { group, version } = resources[0]?.resource ?? core;
  return group === '' ? [core] : [core, { ...core, group, version }];
}

/** Adds the definitions of a resource. */
function define(served: ServedResource, definitions: Definitions): ResourceDefinitions {
  const { resource, schema, listKind } = served;
  const { group, version, kind } = resource;
  const kinds = [{ group, version, kind }];
  const object = schema.struct ? definitions.add(schema.struct, group, kinds) : customName(group, version, kind);
  if (!schema.struct) {
    definitions.addNamed('meta.ObjectMeta');
    definitions.set(object, { ...customSchema(schema.structural), 'x-kubernetes-group-version-kind': kinds });
  }
  const list = `${object.slice(0, -kind.length)}${listKind}`;
  definitions.addNamed('meta.ListMeta');
  definitions.set(list, listSchema(served, object));
  return { object, list, subresource: (subresource) => defineSubresource(subresource, object, definitions) };
}

function listSchema({ resource, listKind, schema }: ServedResource, object: string): Schema {
  const { group, version, kind } = resource;
  return {
    description: listDescription(kind),
    type: 'object',
    required: ['items'],
    properties: {
      apiVersion: { description: common.get('apiVersion'), type: 'string' },
      items: { description: 'The objects.', type: 'array', items: schema.struct ? { default: {}, ...within(object) } : refTo(object) },
      kind: { description: common.get('kind'), type: 'string' },
      metadata: {
        description: 'What the list says of itself.',
        ...(schema.struct && { default: {} }),
        ...within(definitionName('meta.ListMeta')),
      },
    },
    'x-kubernetes-group-version-kind': [{ group, version, kind: listKind }],
  };
}

function defineSubresource({ type }: ServedSubresource, object: string, definitions: Definitions): string {
  const tableName = type && subresourceTypes[`${type.group}/${type.kind}`];
  return type && tableName !== undefined ? definitions.addNamed(tableName, [type]) : object;
}

const subresourceTypes: Readonly<Record<string, string>> = {
  '/Binding': 'core.Binding',
  'authentication.k8s.io/TokenRequest': 'authentication.TokenRequest',
  'autoscaling/Scale': 'autoscaling.Scale',
  'policy/Eviction': 'policy.Eviction',
};

/** Encodes the document as JSON. */
export const textOf = ({ paths, schemas }: Document): string =>
  JSON.stringify({ openapi: '3.0.0', info, paths, components: { schemas, securitySchemes } });

export const info: Schema = { title: 'Kubernetes', version: '1.36' };

export const securitySchemes: Schema = {
  BearerToken: { description: 'A token in the header, after "Bearer ".', type: 'apiKey', name: 'authorization', in: 'header' },
};

/** The published schema of a custom resource: its structural schema with the fields that all objects have. */
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

/** Replaces the schemas of apiVersion, kind and metadata by those of the server. */
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
