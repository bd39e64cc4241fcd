import { apiVersionOf } from 'kube-endpoints/internal/apimachinery';
import { type ApiObject, type Resource, resources } from 'kube-endpoints/port';
import { expect, it } from 'vitest';
import { createObjectConverter } from '../../src/admission/object-converter.ts';
import { type ResourceStrategy, schemalessStrategy } from '../../src/registry/index.ts';
import { statusOf } from '../store/support.ts';
import { createFixture } from './support/fixture.ts';

const v1: Resource = { group: 'example.com', version: 'v1', plural: 'widgets', kind: 'Widget', namespaced: true };
const v2: Resource = { ...v1, version: 'v2' };
const groupEvents: Resource = { ...resources.events, group: 'events.k8s.io' };

/** A strategy for version v2, in which color is spelled colour. */
const v2Strategy: ResourceStrategy = {
  ...schemalessStrategy({ resource: v2 }),
  storedAs: {
    resource: v1,
    toStored: ({ colour, ...rest }) => ({ ...rest, apiVersion: apiVersionOf(v1), color: colour }) as ApiObject,
    fromStored: ({ color, ...rest }) => ({ ...rest, apiVersion: apiVersionOf(v2), colour: color }) as ApiObject,
  },
};

const { registry } = createFixture();
registry.serve(schemalessStrategy({ resource: v1, status: true }));
registry.serve(v2Strategy);
const converter = createObjectConverter(() => registry);

it('equivalents returns the other groups and versions of a resource', () => {
  expect(converter.equivalents(v1, '')).toEqual([v2]);
  expect(converter.equivalents(v2, '')).toEqual([v1]);
  expect(converter.equivalents(resources.events, '')).toEqual([groupEvents]);
  expect(converter.equivalents(resources.pods, '')).toEqual([]);
});

it('equivalents returns only resources that have the subresource', () => {
  expect(converter.equivalents(v1, 'status')).toEqual([]);
  expect(converter.equivalents(v2, 'status')).toEqual([v1]);
});

it('converts between versions in both directions', () => {
  const widget = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'a' }, color: 'red' };
  const converted = { apiVersion: 'example.com/v2', kind: 'Widget', metadata: { name: 'a' }, colour: 'red' };
  expect(converter.convert(widget, v1, v2)).toEqual(converted);
  expect(converter.convert(converted, v2, v1)).toEqual(widget);
  expect(converter.convert(widget, v1, v1)).toBe(widget);
});

it('completes a patched object with defaults', () => {
  const service = { kind: 'Service', metadata: { name: 'a' }, spec: { ports: [{ port: 80 }] } };
  expect(converter.complete(resources.services, service)).toMatchObject({
    apiVersion: 'v1',
    spec: { type: 'ClusterIP', ports: [{ port: 80, protocol: 'TCP', targetPort: 80 }] },
  });
});

it.each([
  [{ metadata: { labels: [] } }, 'json: cannot unmarshal array into Go struct field ObjectMeta.metadata.labels of type map[string]string'],
  [{ kind: 'Nonsense', metadata: {} }, 'no kind "Nonsense" is registered for version "v1" in scheme "pkg/runtime/scheme.go:111"'],
  [{ apiVersion: 'v9', metadata: {} }, 'no kind "Pod" is registered for version "v9" in scheme "pkg/runtime/scheme.go:111"'],
  [{ kind: 'ConfigMap', metadata: {} }, 'converting (v1.ConfigMap) to (core.Pod): unknown conversion'],
  ['text', 'json: cannot unmarshal string into Go value of type v1.Pod'],
])('refuses the patched object %j', (patched, reason) => {
  expect(statusOf(() => converter.complete(resources.pods, patched))).toMatchObject({
    code: 500,
    message: `Internal error occurred: ${reason}`,
  });
});
