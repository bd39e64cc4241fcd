import type { ServedResource, ServedSubresource } from '../registry/catalog.ts';
import { isFields } from '../store/fields.ts';
import { writeJson } from '../store/json.ts';
import type { Definitions } from './definitions.ts';
import { commonDescriptions, describeList } from './descriptions.ts';
import { createPaths, type ResourceDefinitionNames } from './paths.ts';
import { createRef, createRefBesideKeywords, type GroupVersionKind, type Schema } from './schema.ts';
import { toCustomDefinitionName, toDefinitionName } from './type-names.ts';

export interface Document {
  readonly paths: Readonly<Record<string, Schema>>;
  readonly schemas: Readonly<Record<string, Schema>>;
}

export function createDocument(resources: readonly ServedResource[], definitions: Definitions): Document {
  definitions.addNamed('meta.DeleteOptions', listDeleteOptionsKinds(resources));
  definitions.addNamed('meta.Status', [{ group: '', version: 'v1', kind: 'Status' }]);
  const paths = resources.map((servedResource) => createPaths(servedResource, addDefinitions(servedResource, definitions)));
  definitions.set(toDefinitionName('meta.Patch'), {
    description: 'A change to an object. Its format depends on the content type.',
    type: 'object',
  });
  const sortedPaths = paths.flatMap((each) => Object.entries(each)).sort(([a], [b]) => (a < b ? -1 : 1));
  return { paths: Object.fromEntries(sortedPaths), schemas: definitions.all() };
}

/** Lists the kinds of DeleteOptions, which are also registered in the group version of the deleted resource. */
function listDeleteOptionsKinds(resources: readonly ServedResource[]): readonly GroupVersionKind[] {
  const coreKind = { group: '', version: 'v1', kind: 'DeleteOptions' };
  const { group, version } = resources[0]?.resource ?? coreKind;
  return group === '' ? [coreKind] : [coreKind, { ...coreKind, group, version }];
}

function addDefinitions(servedResource: ServedResource, definitions: Definitions): ResourceDefinitionNames {
  const { resource, schema, listKind } = servedResource;
  const { group, version, kind } = resource;
  const kinds = [{ group, version, kind }];
  const object = schema.struct ? definitions.add(schema.struct, kinds) : toCustomDefinitionName(group, version, kind);
  if (!schema.struct) {
    definitions.addNamed('meta.ObjectMeta');
    definitions.set(object, { ...toPublishedSchema(schema.structural), 'x-kubernetes-group-version-kind': kinds });
  }
  const list = `${object.slice(0, -kind.length)}${listKind}`;
  if (servedResource.verbs.includes('list')) {
    definitions.addNamed('meta.ListMeta');
    definitions.set(list, createListSchema(servedResource, object));
  }
  return { object, list, subresource: (subresource) => addSubresourceDefinition(subresource, object, definitions) };
}

function createListSchema({ resource, listKind, schema }: ServedResource, object: string): Schema {
  const { group, version, kind } = resource;
  return {
    description: describeList(kind),
    type: 'object',
    required: ['items'],
    properties: {
      apiVersion: { description: commonDescriptions.get('apiVersion'), type: 'string' },
      items: {
        description: 'The objects.',
        type: 'array',
        items: schema.struct ? { default: {}, ...createRefBesideKeywords(object) } : createRef(object),
      },
      kind: { description: commonDescriptions.get('kind'), type: 'string' },
      metadata: {
        description: 'Metadata of the list.',
        ...(schema.struct && { default: {} }),
        ...createRefBesideKeywords(toDefinitionName('meta.ListMeta')),
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
  writeJson({ openapi: '3.0.0', info, paths, components: { schemas, securitySchemes } });

export const info: Schema = { title: 'Kubernetes', version: '1.36' };

export const securitySchemes: Schema = {
  BearerToken: {
    description: 'A bearer token: the header value is "Bearer " and the token.',
    type: 'apiKey',
    name: 'authorization',
    in: 'header',
  },
};

/** Creates the published schema of a custom resource: the structural schema with the fields that all objects have. */
export function toPublishedSchema(structural: Schema | undefined): Schema {
  const schema = structural ?? { 'x-kubernetes-preserve-unknown-fields': true };
  return withTypeAndMetadata({ ...publish(schema), type: 'object' });
}

function publish(schema: Schema): Schema {
  const publishedSchema: Schema = {
    ...schema,
    ...(schema['properties'] !== undefined && { properties: publishProperties(schema['properties']) }),
    ...(isFields(schema['items']) && { items: publish(schema['items']) }),
    ...(isFields(schema['additionalProperties']) && { additionalProperties: publish(schema['additionalProperties']) }),
    ...(schema['x-kubernetes-int-or-string'] === true && schema['anyOf'] === undefined && { anyOf: intOrString }),
  };
  if (schema['x-kubernetes-embedded-resource'] !== true) return publishedSchema;
  return withTypeAndMetadata({ ...publishedSchema, required: [...new Set([...identityFields, ...toNames(schema['required'])])] });
}

const publishProperties = (properties: unknown): Schema =>
  Object.fromEntries(Object.entries(properties ?? {}).map(([name, schema]) => [name, isFields(schema) ? publish(schema) : schema]));

/** The fields that an embedded object requires in addition to those of its schema. */
export const identityFields: readonly string[] = ['kind', 'apiVersion'];

const intOrString = [{ type: 'integer' }, { type: 'string' }];

/** Replaces the schemas of apiVersion, kind and metadata by those of the server. */
const withTypeAndMetadata = (schema: Schema): Schema => ({
  ...schema,
  properties: {
    ...(schema['properties'] as Schema | undefined),
    apiVersion: { description: commonDescriptions.get('apiVersion'), type: 'string' },
    kind: { description: commonDescriptions.get('kind'), type: 'string' },
    metadata: { description: commonDescriptions.get('metadata'), ...createRefBesideKeywords(toDefinitionName('meta.ObjectMeta')) },
  },
});

const toNames = (value: unknown): readonly string[] => (Array.isArray(value) ? value : []);
