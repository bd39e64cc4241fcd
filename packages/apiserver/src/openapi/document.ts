import type { ServedResource, ServedSubresource } from '../registry/catalog.ts';
import { isFields } from '../store/fields.ts';
import type { Definitions } from './definitions.ts';
import { commonDescriptions, listDescription } from './descriptions.ts';
import { createPaths, type ResourceDefinitions } from './paths.ts';
import { type GroupVersionKind, refBesideKeywords, refTo, type Schema } from './schema.ts';
import { customDefinitionName, definitionName } from './type-names.ts';

export interface Document {
  readonly paths: Readonly<Record<string, Schema>>;
  readonly schemas: Readonly<Record<string, Schema>>;
}

export function createDocument(resources: readonly ServedResource[], definitions: Definitions): Document {
  definitions.addNamed('meta.DeleteOptions', deleteOptionsKinds(resources));
  definitions.addNamed('meta.Status', [{ group: '', version: 'v1', kind: 'Status' }]);
  const paths = resources.map((served) => createPaths(served, addDefinitions(served, definitions)));
  definitions.set(definitionName('meta.Patch'), {
    description: 'A change to an object. Its format depends on the content type.',
    type: 'object',
  });
  const sortedPaths = paths.flatMap((each) => Object.entries(each)).sort(([a], [b]) => (a < b ? -1 : 1));
  return { paths: Object.fromEntries(sortedPaths), schemas: definitions.all() };
}

/** DeleteOptions are also registered in the group version of the deleted resource. */
function deleteOptionsKinds(resources: readonly ServedResource[]): readonly GroupVersionKind[] {
  const core = { group: '', version: 'v1', kind: 'DeleteOptions' };
  const { group, version } = resources[0]?.resource ?? core;
  return group === '' ? [core] : [core, { ...core, group, version }];
}

function addDefinitions(served: ServedResource, definitions: Definitions): ResourceDefinitions {
  const { resource, schema, listKind } = served;
  const { group, version, kind } = resource;
  const kinds = [{ group, version, kind }];
  const object = schema.struct ? definitions.add(schema.struct, group, kinds) : customDefinitionName(group, version, kind);
  if (!schema.struct) {
    definitions.addNamed('meta.ObjectMeta');
    definitions.set(object, { ...toPublishedSchema(schema.structural), 'x-kubernetes-group-version-kind': kinds });
  }
  const list = `${object.slice(0, -kind.length)}${listKind}`;
  definitions.addNamed('meta.ListMeta');
  definitions.set(list, listSchema(served, object));
  return { object, list, subresource: (subresource) => addSubresourceDefinition(subresource, object, definitions) };
}

function listSchema({ resource, listKind, schema }: ServedResource, object: string): Schema {
  const { group, version, kind } = resource;
  return {
    description: listDescription(kind),
    type: 'object',
    required: ['items'],
    properties: {
      apiVersion: { description: commonDescriptions.get('apiVersion'), type: 'string' },
      items: {
        description: 'The objects.',
        type: 'array',
        items: schema.struct ? { default: {}, ...refBesideKeywords(object) } : refTo(object),
      },
      kind: { description: commonDescriptions.get('kind'), type: 'string' },
      metadata: {
        description: 'Metadata of the list.',
        ...(schema.struct && { default: {} }),
        ...refBesideKeywords(definitionName('meta.ListMeta')),
      },
    },
    'x-kubernetes-group-version-kind': [{ group, version, kind: listKind }],
  };
}

function addSubresourceDefinition({ type }: ServedSubresource, object: string, definitions: Definitions): string {
  const typeName = type && subresourceTypes[`${type.group}/${type.kind}`];
  return type && typeName !== undefined ? definitions.addNamed(typeName, [type]) : object;
}

const subresourceTypes: Readonly<Record<string, string>> = {
  '/Binding': 'core.Binding',
  'authentication.k8s.io/TokenRequest': 'authentication.TokenRequest',
  'autoscaling/Scale': 'autoscaling.Scale',
  'policy/Eviction': 'policy.Eviction',
};

export const encodeDocument = ({ paths, schemas }: Document): string =>
  JSON.stringify({ openapi: '3.0.0', info, paths, components: { schemas, securitySchemes } });

export const info: Schema = { title: 'Kubernetes', version: '1.36' };

export const securitySchemes: Schema = {
  BearerToken: {
    description: 'A bearer token: the header value is "Bearer " and the token.',
    type: 'apiKey',
    name: 'authorization',
    in: 'header',
  },
};

/** The published schema of a custom resource: its structural schema with the fields that all objects have. */
export function toPublishedSchema(structural: Schema | undefined): Schema {
  const schema = structural ?? { 'x-kubernetes-preserve-unknown-fields': true };
  return withIdentity({ ...publish(schema), type: 'object' });
}

function publish(schema: Schema): Schema {
  const published: Schema = {
    ...schema,
    ...(schema['properties'] !== undefined && { properties: publishProperties(schema['properties']) }),
    ...(isFields(schema['items']) && { items: publish(schema['items']) }),
    ...(isFields(schema['additionalProperties']) && { additionalProperties: publish(schema['additionalProperties']) }),
    ...(schema['x-kubernetes-int-or-string'] === true && schema['anyOf'] === undefined && { anyOf: intOrString }),
  };
  if (schema['x-kubernetes-embedded-resource'] !== true) return published;
  return withIdentity({ ...published, required: [...new Set([...identityFields, ...toNames(schema['required'])])] });
}

const publishProperties = (properties: unknown): Schema =>
  Object.fromEntries(Object.entries(properties ?? {}).map(([name, schema]) => [name, isFields(schema) ? publish(schema) : schema]));

const identityFields = ['kind', 'apiVersion'];

const intOrString = [{ type: 'integer' }, { type: 'string' }];

/** Replaces the schemas of apiVersion, kind and metadata by those of the server. */
const withIdentity = (schema: Schema): Schema => ({
  ...schema,
  properties: {
    ...(schema['properties'] as Schema | undefined),
    apiVersion: { description: commonDescriptions.get('apiVersion'), type: 'string' },
    kind: { description: commonDescriptions.get('kind'), type: 'string' },
    metadata: { description: commonDescriptions.get('metadata'), ...refBesideKeywords(definitionName('meta.ObjectMeta')) },
  },
});

const toNames = (value: unknown): readonly string[] => (Array.isArray(value) ? value : []);
