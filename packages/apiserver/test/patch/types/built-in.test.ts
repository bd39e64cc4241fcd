import { describe, expect, test } from 'vitest';
import { builtInKind, builtInType } from '../../../src/patch/types/built-in.ts';
import type { Atom, TypeRef } from '../../../src/patch/types/type.ts';

const kinds = [
  ['v1', 'ConfigMap'],
  ['apiextensions.k8s.io/v1', 'CustomResourceDefinition'],
  ['discovery.k8s.io/v1', 'EndpointSlice'],
  ['v1', 'Endpoints'],
  ['v1', 'Event'],
  ['events.k8s.io/v1', 'Event'],
  ['coordination.k8s.io/v1', 'Lease'],
  ['admissionregistration.k8s.io/v1', 'MutatingWebhookConfiguration'],
  ['v1', 'Namespace'],
  ['v1', 'Node'],
  ['v1', 'Pod'],
  ['v1', 'Secret'],
  ['v1', 'Service'],
  ['v1', 'ServiceAccount'],
  ['admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration'],
] as const;

const fieldOf = (type: string, field: string) => builtInType(type)?.resolve().map?.fields.get(field);

describe('built-in type tables', () => {
  test.each(kinds)('of %s %s are complete', (apiVersion, kind) => {
    const kindTypes = builtInKind(apiVersion, kind);
    const seen = new Set<Atom>();
    const visit = (type: TypeRef | undefined): void => {
      const atom = type?.resolve();
      if (atom === undefined || seen.has(atom)) return;
      seen.add(atom);
      visit(atom.list?.element === type ? undefined : atom.list?.element);
      visit(atom.map?.element === type ? undefined : atom.map?.element);
      for (const field of atom.map?.fields.values() ?? []) {
        visit(field.type);
      }
    };
    // Recursive types resolve to the same atom each time, so the visit ends.
    visit(kindTypes?.type);
    expect(seen.size).toBeGreaterThan(5);
    expect(Object.keys(kindTypes?.empty ?? {}).filter((key) => !kindTypes?.type.resolve().map?.fields.has(key))).toEqual([]);
  });

  test('contain merge keys and list types', () => {
    expect(fieldOf('core.ServiceSpec', 'ports')).toMatchObject({ mergeKey: 'port' });
    expect(fieldOf('core.ServiceSpec', 'ports')?.type.resolve().list?.keys).toEqual(['port', 'protocol']);
    expect(fieldOf('core.Container', 'ports')?.type.resolve().list?.keys).toEqual(['containerPort', 'protocol']);
    expect(fieldOf('core.ContainerPort', 'protocol')).toMatchObject({ default: 'TCP' });
    expect(fieldOf('core.PodSpec', 'volumes')).toMatchObject({ strategies: ['merge', 'retainKeys'], mergeKey: 'name' });
    expect(fieldOf('discovery.Endpoint', 'addresses')?.type.resolve().list).toMatchObject({ atomic: false, keys: [] });
    expect(fieldOf('meta.ObjectMeta', 'finalizers')).toMatchObject({ strategies: ['merge'] });
    expect(fieldOf('core.PodSpec', 'nodeSelector')?.type.resolve().map?.atomic).toBe(true);
  });
});

test('builtInKind returns undefined for another apiVersion or a type that is not a kind', () => {
  expect(builtInKind('v2', 'Pod')).toBeUndefined();
  expect(builtInKind('v1', 'PodSpec')).toBeUndefined();
  expect(builtInKind('v1', 'constructor')).toBeUndefined();
});

test('builtInKind returns a new empty object each time', () => {
  expect(builtInKind('v1', 'Service')?.empty).toEqual({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {},
    spec: {},
    status: { loadBalancer: {} },
  });
  expect(builtInKind('v1', 'Pod')?.empty['spec']).not.toBe(builtInKind('v1', 'Pod')?.empty['spec']);
});
