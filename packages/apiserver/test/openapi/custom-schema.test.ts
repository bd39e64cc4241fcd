import { expect, test } from 'vitest';
import { customSchema } from '../../src/openapi/custom-schema.ts';
import { widgetSchema } from '../discovery/support.ts';
import { withoutDescriptions } from './support.ts';

const identity = {
  apiVersion: { type: 'string' },
  kind: { type: 'string' },
  metadata: { allOf: [{ $ref: '#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' }] },
};
const published = (schema: Readonly<Record<string, unknown>> | undefined): unknown => withoutDescriptions(customSchema(schema));

// As a kube-apiserver 1.36.3 publishes it.
test('a schema is published with what every object has', () => {
  const { spec } = widgetSchema.properties;
  expect(published(widgetSchema)).toEqual({
    type: 'object',
    required: ['spec'],
    properties: {
      ...identity,
      spec: {
        ...spec,
        properties: {
          ...spec.properties,
          port: { anyOf: [{ type: 'integer' }, { type: 'string' }], 'x-kubernetes-int-or-string': true },
          template: {
            type: 'object',
            required: ['kind', 'apiVersion'],
            properties: identity,
            'x-kubernetes-embedded-resource': true,
            'x-kubernetes-preserve-unknown-fields': true,
          },
        },
      },
    },
  });
  expect(customSchema(widgetSchema)['description']).toBe('A widget of the factory.');
});

test('what it says of metadata itself does not count', () => {
  const schema = { type: 'object', properties: { metadata: { type: 'object', properties: { name: { type: 'string', maxLength: 5 } } } } };
  expect(published(schema)).toEqual({ type: 'object', properties: identity });
});

test('without a schema, anything goes', () => {
  expect(published(undefined)).toEqual({ type: 'object', properties: identity, 'x-kubernetes-preserve-unknown-fields': true });
});

test('maps are looked into, and names are data', () => {
  const schema = JSON.parse(
    '{"type":"object","properties":{"__proto__":{"type":"string"},"m":{"type":"object","additionalProperties":{"x-kubernetes-int-or-string":true}}}}',
  );
  const { properties } = published(schema) as { properties: Record<string, unknown> };
  expect(Object.keys(properties)).toEqual(['__proto__', 'm', 'apiVersion', 'kind', 'metadata']);
  expect(Object.entries(properties)[0]).toEqual(['__proto__', { type: 'string' }]);
  expect(properties['m']).toEqual({
    type: 'object',
    additionalProperties: { anyOf: [{ type: 'integer' }, { type: 'string' }], 'x-kubernetes-int-or-string': true },
  });
  expect(Object.getPrototypeOf(properties)).toBe(Object.prototype);
});

test('the schema that is handed in stays as it is', () => {
  const before = structuredClone(widgetSchema);
  customSchema(widgetSchema);
  expect(widgetSchema).toEqual(before);
});
