import { expect, test } from 'vitest';
import { createDefinitions } from '../../src/openapi/definitions.ts';
import { createDocument, encodeDocument, toPublishedSchema } from '../../src/openapi/document.ts';
import { builtInResources, type ServedResource } from '../../src/registry/catalog.ts';
import { createWidgetResource, widgetSchema } from '../discovery/support.ts';
import { withoutDescriptions } from './support.ts';

const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';

/** Finds the names in all `$ref`s of a document. */
const findReferences = (text: string): readonly string[] =>
  [...text.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map(([, name]) => name as string);

const groups = Object.values(
  Object.groupBy(builtInResources(), ({ resource }) => `${resource.group}/${resource.version}`),
) as ServedResource[][];

test.each([...groups, [createWidgetResource('v1')]].map((resources) => [resources[0]?.resource.group || 'core', resources] as const))(
  'the document of %s contains every schema that it refers to',
  (_, resources) => {
    const document = createDocument(resources, createDefinitions());
    const schemaNames = new Set(Object.keys(document.schemas));
    const missingNames = findReferences(encodeDocument(document)).filter((name) => !schemaNames.has(name));
    expect(missingNames).toEqual([]);
    for (const { resource } of resources) {
      const { group, version, kind } = resource;
      const schemasOfKind = Object.values(document.schemas).filter((schema) =>
        JSON.stringify(schema['x-kubernetes-group-version-kind'] ?? []).includes(JSON.stringify({ group, version, kind })),
      );
      expect(schemasOfKind, kind).toHaveLength(1);
    }
  },
);

test('a list type refers to the type of its items', () => {
  const { schemas } = createDocument([createWidgetResource('v1')], createDefinitions());
  expect(withoutDescriptions(schemas['com.example.v1.WidgetList'])).toEqual({
    type: 'object',
    required: ['items'],
    properties: {
      apiVersion: { type: 'string' },
      items: { type: 'array', items: { $ref: '#/components/schemas/com.example.v1.Widget' } },
      kind: { type: 'string' },
      metadata: { allOf: [{ $ref: `#/components/schemas/${meta}.ListMeta` }] },
    },
    'x-kubernetes-group-version-kind': [{ group: 'example.com', version: 'v1', kind: 'WidgetList' }],
  });
});

test('types of request bodies have their group, version and kind', () => {
  const leases = builtInResources().filter(({ resource }) => resource.plural === 'leases');
  const { schemas } = createDocument(leases, createDefinitions());
  expect(schemas[`${meta}.DeleteOptions`]?.['x-kubernetes-group-version-kind']).toEqual([
    { group: '', version: 'v1', kind: 'DeleteOptions' },
    { group: 'coordination.k8s.io', version: 'v1', kind: 'DeleteOptions' },
  ]);
  expect(
    createDocument([createWidgetResource('v1')], createDefinitions()).schemas['io.k8s.api.autoscaling.v1.Scale']?.[
      'x-kubernetes-group-version-kind'
    ],
  ).toEqual([{ group: 'autoscaling', version: 'v1', kind: 'Scale' }]);
});

test('encodeDocument returns an OpenAPI 3 document', () => {
  expect(JSON.parse(encodeDocument(createDocument([createWidgetResource('v1')], createDefinitions())))).toMatchObject({
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version: '1.36' },
    paths: expect.objectContaining({ '/apis/example.com/v1/widgets': expect.anything() }),
    components: { schemas: expect.anything(), securitySchemes: { BearerToken: { type: 'apiKey', in: 'header', name: 'authorization' } } },
  });
});

const identityFields = {
  apiVersion: { type: 'string' },
  kind: { type: 'string' },
  metadata: { allOf: [{ $ref: '#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' }] },
};
const publish = (schema: Readonly<Record<string, unknown>> | undefined): unknown => withoutDescriptions(toPublishedSchema(schema));

// The expected schema is that of kube-apiserver 1.36.3.
test('a custom schema is published with apiVersion, kind and metadata', () => {
  const { spec } = widgetSchema.properties;
  expect(publish(widgetSchema)).toEqual({
    type: 'object',
    required: ['spec'],
    properties: {
      ...identityFields,
      spec: {
        ...spec,
        properties: {
          ...spec.properties,
          port: { anyOf: [{ type: 'integer' }, { type: 'string' }], 'x-kubernetes-int-or-string': true },
          template: {
            type: 'object',
            required: ['kind', 'apiVersion'],
            properties: identityFields,
            'x-kubernetes-embedded-resource': true,
            'x-kubernetes-preserve-unknown-fields': true,
          },
        },
      },
    },
  });
  expect(toPublishedSchema(widgetSchema)['description']).toBe('A widget of the factory.');
});

test('the metadata schema of a definition is replaced by ObjectMeta', () => {
  const schema = { type: 'object', properties: { metadata: { type: 'object', properties: { name: { type: 'string', maxLength: 5 } } } } };
  expect(publish(schema)).toEqual({ type: 'object', properties: identityFields });
});

test('a definition without a schema is published with preserved unknown fields', () => {
  expect(publish(undefined)).toEqual({ type: 'object', properties: identityFields, 'x-kubernetes-preserve-unknown-fields': true });
});

test('schemas in maps are published, and __proto__ is an ordinary name', () => {
  const schema = JSON.parse(
    '{"type":"object","properties":{"__proto__":{"type":"string"},"m":{"type":"object","additionalProperties":{"x-kubernetes-int-or-string":true}}}}',
  );
  const { properties } = publish(schema) as { properties: Record<string, unknown> };
  expect(Object.keys(properties)).toEqual(['__proto__', 'm', 'apiVersion', 'kind', 'metadata']);
  expect(Object.entries(properties)[0]).toEqual(['__proto__', { type: 'string' }]);
  expect(properties['m']).toEqual({
    type: 'object',
    additionalProperties: { anyOf: [{ type: 'integer' }, { type: 'string' }], 'x-kubernetes-int-or-string': true },
  });
  expect(Object.getPrototypeOf(properties)).toBe(Object.prototype);
});

test('publishing does not modify the given schema', () => {
  const unchangedSchema = structuredClone(widgetSchema);
  toPublishedSchema(widgetSchema);
  expect(widgetSchema).toEqual(unchangedSchema);
});
