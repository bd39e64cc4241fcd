import { expect, test } from 'vitest';
import { createDefinitionMaker } from '../../src/openapi/definitions.ts';
import { documentOf, textOf } from '../../src/openapi/document.ts';
import { builtInResources, type ServedResource } from '../../src/registry/catalog.ts';
import { widgets } from '../discovery/support.ts';
import { withoutDescriptions } from './support.ts';

const make = createDefinitionMaker();
const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';

/** All `$ref`s of a document. */
const references = (text: string): readonly string[] =>
  [...text.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map(([, name]) => name as string);

const groups = Object.values(
  Object.groupBy(builtInResources(), ({ resource }) => `${resource.group}/${resource.version}`),
) as ServedResource[][];

test.each([...groups, [widgets('v1')]].map((resources) => [resources[0]?.resource.group || 'core', resources] as const))(
  'everything that the document of %s refers to is in it',
  (_, resources) => {
    const document = documentOf(resources, make());
    const known = new Set(Object.keys(document.schemas));
    const unknown = references(textOf(document)).filter((name) => !known.has(name));
    expect(unknown).toEqual([]);
    for (const { resource } of resources) {
      const { group, version, kind } = resource;
      const ofKind = Object.values(document.schemas).filter((schema) =>
        JSON.stringify(schema['x-kubernetes-group-version-kind'] ?? []).includes(JSON.stringify({ group, version, kind })),
      );
      expect(ofKind, kind).toHaveLength(1);
    }
  },
);

test('a list is that of its objects', () => {
  const { schemas } = documentOf([widgets('v1')], make());
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

test('what a request may carry is there with its kind', () => {
  const leases = builtInResources().filter(({ resource }) => resource.plural === 'leases');
  const { schemas } = documentOf(leases, make());
  expect(schemas[`${meta}.DeleteOptions`]?.['x-kubernetes-group-version-kind']).toEqual([
    { group: '', version: 'v1', kind: 'DeleteOptions' },
    { group: 'coordination.k8s.io', version: 'v1', kind: 'DeleteOptions' },
  ]);
  expect(documentOf([widgets('v1')], make()).schemas['io.k8s.api.autoscaling.v1.Scale']?.['x-kubernetes-group-version-kind']).toEqual([
    { group: 'autoscaling', version: 'v1', kind: 'Scale' },
  ]);
});

test('the text is a document of OpenAPI 3', () => {
  expect(JSON.parse(textOf(documentOf([widgets('v1')], make())))).toMatchObject({
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version: '1.36' },
    paths: expect.objectContaining({ '/apis/example.com/v1/widgets': expect.anything() }),
    components: { schemas: expect.anything(), securitySchemes: { BearerToken: { type: 'apiKey', in: 'header', name: 'authorization' } } },
  });
});
