import { expect, test } from 'vitest';
import { findType, kindType, structType, typeNames } from '../../src/api-types/index.ts';

test('the types are sorted and each is in the table once', () => {
  expect(typeNames()).toContain('core.Pod');
  expect([...new Set(typeNames())].sort()).toEqual(typeNames());
});

test('every field has a known type', () => {
  for (const name of typeNames()) {
    const type = findType(name);
    if (type?.kind === 'struct') for (const field of type.fields.values()) expect(field.type, `${name}.${field.name}`).toBeDefined();
    else expect(type, name).toBeDefined();
  }
});

test('fields have their list types, patch strategies, defaults and field numbers', () => {
  expect(structType('core.ServiceSpec').fields.get('ports')).toMatchObject({
    merging: { kind: 'map', keys: ['port', 'protocol'] },
    patchStrategy: 'merge',
    patchMergeKey: 'port',
    numbers: [1],
    required: false,
  });
  expect(structType('core.ServicePort').fields.get('protocol')).toMatchObject({ default: 'TCP', type: { values: ['SCTP', 'TCP', 'UDP'] } });
  expect(structType('core.Volume').fields.get('secret')).toMatchObject({ embedded: ['VolumeSource'], numbers: [2, 6] });
  expect(structType('core.Pod').fields.get('kind')).toMatchObject({ embedded: ['TypeMeta'], numbers: [] });
  expect(structType('core.EndpointAddress')).toMatchObject({ atomic: true, go: 'v1.EndpointAddress' });
  expect(structType('autoscaling/v2.MetricSpec')).toMatchObject({ atomic: false, go: 'v2.MetricSpec' });
});

test.each(['core.Protocol', 'core.Nothing', '__proto__'])('structType throws for %s, which is not a struct', (name) =>
  expect(() => structType(name)).toThrow(RangeError),
);

test.each([
  ['v1', 'Pod', 'core.Pod'],
  ['apps/v1', 'Deployment', 'apps.Deployment'],
  ['autoscaling/v2', 'HorizontalPodAutoscaler', 'autoscaling/v2.HorizontalPodAutoscaler'],
  ['rbac.authorization.k8s.io/v1', 'Role', 'rbac.Role'],
  ['v1', 'PodSpec', undefined],
  ['v2', 'Pod', undefined],
  ['v1', 'constructor', undefined],
])('the kind %s %s has the type %s', (apiVersion, kind, name) => {
  expect(kindType(apiVersion, kind)?.name).toBe(name);
});
