import type { Resource } from 'kube-endpoints/port';
import { expect, test } from 'vitest';
import { createExtraResourceEntry } from '../src/extra-resources.ts';
import { createApiServer, type ExtraResource } from '../src/index.ts';

const gateways: Resource = { group: 'example.com', version: 'v1', plural: 'gateways', kind: 'Gateway', namespaced: true };
const gatewayResource: ExtraResource = {
  resource: gateways,
  status: true,
  shortNames: ['gw'],
  columns: [{ name: 'Class', type: 'string', format: '', priority: 0, cell: ({ spec }) => (spec as { class: string }).class }],
};

test('an extra resource keeps unknown fields and has a status subresource', async () => {
  await using server = await createApiServer({ resources: [gatewayResource] });
  const key = { namespace: 'default', name: 'front' };
  const created = await server.client.create(gateways, {
    metadata: key,
    spec: { class: 'fast', any: { thing: [1] } },
    status: { ready: true },
  });
  expect(created).toMatchObject({ apiVersion: 'example.com/v1', kind: 'Gateway', spec: { class: 'fast', any: { thing: [1] } } });
  expect(created).not.toHaveProperty('status');
  const updated = await server.client.update(gateways, { ...created, spec: {}, status: { ready: true } }, { subresource: 'status' });
  expect(updated).toMatchObject({ spec: { class: 'fast' }, status: { ready: true } });
});

test('a table of an extra resource has its columns between name and age', () => {
  const { columns, cells, subresources, listKind } = createExtraResourceEntry(gatewayResource);
  expect(columns.map(({ name }) => name)).toEqual(['Name', 'Class', 'Age']);
  const object = { metadata: { name: 'front', creationTimestamp: '2026-01-01T00:00:00Z' }, spec: { class: 'fast' } };
  expect(cells(object, new Date('2026-01-01T00:01:00Z'))).toEqual(['front', 'fast', '60s']);
  expect(subresources.map(({ name }) => name)).toEqual(['status']);
  expect(listKind).toBe('GatewayList');
});
