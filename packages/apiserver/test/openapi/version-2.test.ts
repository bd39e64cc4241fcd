import { expect, test } from 'vitest';
import { createDefinitions } from '../../src/openapi/definitions.ts';
import { createDocument } from '../../src/openapi/document.ts';
import { createVersionTwo } from '../../src/openapi/version-2.ts';
import { builtInResources } from '../../src/registry/catalog.ts';
import { createWidgetResource } from '../discovery/support.ts';
import { withoutDescriptions } from './support.ts';

const core = builtInResources().filter(({ resource }) => resource.group === '');
const openApi2 = createVersionTwo([
  createDocument(core, createDefinitions()),
  createDocument([createWidgetResource('v1')], createDefinitions()),
]) as {
  readonly definitions: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
};

const definition = (name: string): unknown => withoutDescriptions(openApi2.definitions[name]);

// The expected definitions are those of kube-apiserver 1.36.3.
test('definitions have no defaults and use plain references', () => {
  expect(definition('io.k8s.api.core.v1.Service')).toEqual({
    type: 'object',
    properties: {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: { $ref: '#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' },
      spec: { $ref: '#/definitions/io.k8s.api.core.v1.ServiceSpec' },
      status: { $ref: '#/definitions/io.k8s.api.core.v1.ServiceStatus' },
    },
    'x-kubernetes-group-version-kind': [{ group: '', version: 'v1', kind: 'Service' }],
  });
  expect(definition('io.k8s.apimachinery.pkg.util.intstr.IntOrString')).toEqual({ type: 'string', format: 'int-or-string' });
  expect(definition('io.k8s.apimachinery.pkg.api.resource.Quantity')).toEqual({ type: 'string' });
});

test('custom resources omit keywords that OpenAPI 2 does not have', () => {
  expect(definition('com.example.v1.Widget')).toEqual({
    type: 'object',
    required: ['spec'],
    properties: {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: { $ref: '#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' },
      spec: {
        type: 'object',
        required: ['size'],
        properties: {
          size: { type: 'integer', format: 'int32', minimum: 1 },
          name: {},
          port: { 'x-kubernetes-int-or-string': true },
          free: { 'x-kubernetes-preserve-unknown-fields': true },
          template: { 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
          parts: {
            type: 'array',
            items: { type: 'object', required: ['id'], properties: { id: { type: 'string' } } },
            'x-kubernetes-list-map-keys': ['id'],
            'x-kubernetes-list-type': 'map',
          },
        },
      },
    },
    'x-kubernetes-group-version-kind': [{ group: 'example.com', version: 'v1', kind: 'Widget' }],
  });
});

const definitionOf = (structural: Readonly<Record<string, unknown>>): unknown => {
  const resource = createWidgetResource('v1', { schema: { structural } });
  const { definitions } = createVersionTwo([createDocument([resource], createDefinitions())]) as typeof openApi2;
  return withoutDescriptions(definitions['com.example.v1.Widget']);
};

test('a custom resource that preserves unknown fields at its root is published as an object without properties', () => {
  const kinds = { 'x-kubernetes-group-version-kind': [{ group: 'example.com', version: 'v1', kind: 'Widget' }] };
  const structural = { type: 'object', description: 'free', required: ['spec'], properties: { spec: { type: 'object' } } };
  expect(definitionOf({ ...structural, 'x-kubernetes-preserve-unknown-fields': true })).toStrictEqual({ type: 'object', ...kinds });
});

test('required fields stay if properties are dropped, except those that are nullable', () => {
  const text = { type: 'string' };
  const free = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  const published = definitionOf({
    type: 'object',
    properties: {
      free: { ...free, required: ['x'], properties: { x: text } },
      nullable: { type: 'object', nullable: true, required: ['x'], properties: { x: text } },
      nullableList: { type: 'array', nullable: true, items: text },
      nullableField: { type: 'object', required: ['x', 'y'], properties: { x: { type: 'string', nullable: true }, y: text } },
      nullableValues: { type: 'object', required: ['x'], additionalProperties: { type: 'string', nullable: true } },
      embedded: { ...free, 'x-kubernetes-embedded-resource': true, required: ['spec'] },
    },
  }) as { readonly properties: Readonly<Record<string, unknown>> };
  expect(published.properties).toMatchObject({
    free: { required: ['x'], 'x-kubernetes-preserve-unknown-fields': true },
    nullable: { required: ['x'] },
    nullableList: {},
    nullableField: { type: 'object', required: ['y'], properties: { x: {}, y: text } },
    nullableValues: { type: 'object', additionalProperties: {} },
    embedded: { required: ['spec'], 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
  });
  expect(Object.keys(published.properties['free'] as object)).not.toContain('type');
  expect(published.properties['nullableValues']).not.toHaveProperty('required');
  expect(published.properties['nullableList']).toStrictEqual({});
});

test('operations without parameters have no list of parameters', () => {
  expect(openApi2.paths['/api/v1/namespaces/{namespace}/services/{name}']?.['get']).not.toHaveProperty('parameters');
});

test('operations list their body as a parameter', () => {
  expect(withoutDescriptions(openApi2.paths['/api/v1/namespaces/{namespace}/services']?.['post'])).toEqual({
    tags: ['core_v1'],
    operationId: 'createCoreV1NamespacedService',
    consumes: ['application/json', 'application/yaml'],
    produces: ['application/json', 'application/yaml'],
    schemes: ['https'],
    parameters: [
      { name: 'body', in: 'body', required: true, schema: { $ref: '#/definitions/io.k8s.api.core.v1.Service' } },
      { name: 'dryRun', in: 'query', type: 'string', uniqueItems: true },
      { name: 'fieldManager', in: 'query', type: 'string', uniqueItems: true },
      { name: 'fieldValidation', in: 'query', type: 'string', uniqueItems: true },
    ],
    responses: {
      200: { schema: { $ref: '#/definitions/io.k8s.api.core.v1.Service' } },
      201: { schema: { $ref: '#/definitions/io.k8s.api.core.v1.Service' } },
      202: { schema: { $ref: '#/definitions/io.k8s.api.core.v1.Service' } },
      401: {},
    },
    'x-kubernetes-action': 'post',
    'x-kubernetes-group-version-kind': { group: '', version: 'v1', kind: 'Service' },
  });
  expect(openApi2.paths['/api/v1/namespaces/{namespace}/services']?.['parameters']).toMatchObject([
    { name: 'namespace', in: 'path', required: true, type: 'string' },
    { name: 'pretty', in: 'query', type: 'string' },
  ]);
});

test('the document has no OpenAPI 3 keywords and no dangling references', () => {
  const text = JSON.stringify(openApi2);
  expect(text).not.toMatch(/#\/components\/|"(?:allOf|anyOf|oneOf|not|nullable|requestBody|content)":/);
  const references = new Set([...text.matchAll(/"\$ref":"#\/definitions\/([^"]+)"/g)].map(([, name]) => name as string));
  expect([...references].filter((name) => openApi2.definitions[name] === undefined)).toEqual([]);
  expect(references.size).toBeGreaterThan(150);
});
