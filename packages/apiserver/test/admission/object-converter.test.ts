import { apiVersionOf } from 'kube-endpoints/internal/apimachinery';
import { type ApiObject, type Resource, resources } from 'kube-endpoints/port';
import { expect, it } from 'vitest';
import { createObjectConverter } from '../../src/admission/object-converter.ts';
import { createSchemalessStrategy, type ResourceStrategy } from '../../src/registry/index.ts';
import { statusOf } from '../store/support.ts';
import { createFixture } from './support/fixture.ts';

const v1: Resource = { group: 'example.com', version: 'v1', plural: 'widgets', kind: 'Widget', namespaced: true };
const v2: Resource = { ...v1, version: 'v2' };
const groupEvents: Resource = { ...resources.events, group: 'events.k8s.io' };

/** A strategy for version v2, in which color is spelled colour. */
const v2Strategy: ResourceStrategy = {
  ...createSchemalessStrategy({ resource: v2 }),
  storedAs: {
    resource: v1,
    toStored: ({ colour, ...rest }) => ({ ...rest, apiVersion: apiVersionOf(v1), color: colour }) as ApiObject,
    fromStored: ({ color, ...rest }) => ({ ...rest, apiVersion: apiVersionOf(v2), colour: color }) as ApiObject,
  },
};

const { registry } = createFixture();
registry.serve(createSchemalessStrategy({ resource: v1, status: true }));
registry.serve(v2Strategy);
const converter = createObjectConverter(() => registry);

it('findEquivalents returns the other groups and versions of a resource', () => {
  expect(converter.findEquivalents(v1, '')).toEqual([v2]);
  expect(converter.findEquivalents(v2, '')).toEqual([v1]);
  expect(converter.findEquivalents(resources.events, '')).toEqual([groupEvents]);
  expect(converter.findEquivalents(resources.pods, '')).toEqual([]);
});

it('findEquivalents returns only resources that have the subresource', () => {
  expect(converter.findEquivalents(v1, 'status')).toEqual([]);
  expect(converter.findEquivalents(v2, 'status')).toEqual([v1]);
});

it('convert translates between versions in both directions', () => {
  const widget = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'a' }, color: 'red' };
  const convertedWidget = { apiVersion: 'example.com/v2', kind: 'Widget', metadata: { name: 'a' }, colour: 'red' };
  expect(converter.convert(widget, v1, v2)).toEqual(convertedWidget);
  expect(converter.convert(convertedWidget, v2, v1)).toEqual(widget);
  expect(converter.convert(widget, v1, v1)).toBe(widget);
});

it('decodeAndDefault adds defaults to a patched object', () => {
  const service = { kind: 'Service', metadata: { name: 'a' }, spec: { ports: [{ port: 80 }] } };
  expect(converter.decodeAndDefault(resources.services, service)).toMatchObject({
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
])('decodeAndDefault refuses the patched object %j', (patched, reason) => {
  expect(statusOf(() => converter.decodeAndDefault(resources.pods, patched))).toMatchObject({
    code: 500,
    message: `Internal error occurred: ${reason}`,
  });
});
