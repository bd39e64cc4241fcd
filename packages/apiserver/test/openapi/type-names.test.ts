import { expect, test } from 'vitest';
import { createTypeNames, toCustomDefinitionName, toDefinitionName } from '../../src/openapi/type-names.ts';
import { type StructType, structType } from '../../src/resources/index.ts';

const names = createTypeNames();
const createStruct = (go: string): StructType => ({ kind: 'struct', go, fields: new Map() });

test.each([
  ['core.Service', 'io.k8s.api.core.v1.Service'],
  ['meta.ObjectMeta', 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta'],
  ['admission.Rule', 'io.k8s.api.admissionregistration.v1.Rule'],
  ['apiextensions.k8s.io:JSONSchemaProps', 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps'],
  ['example.com:Part', 'com.example.v1.Part'],
])('the type %s is published as %s', (tableName, definitionName) => {
  expect(toDefinitionName(tableName)).toBe(definitionName);
});

test('the definition of a custom resource has the reversed group as prefix', () => {
  expect(toCustomDefinitionName('stable.example.com', 'v1beta1', 'Widget')).toBe('com.example.stable.v1beta1.Widget');
});

test('types with the same Go name have different table names', () => {
  expect(names.findTableName(structType('core.EndpointPort'), '')).toBe('core.EndpointPort');
  expect(names.findTableName(structType('discovery.EndpointPort'), '')).toBe('discovery.EndpointPort');
});

test('types that the tables do not contain are named after their group, except ObjectMeta', () => {
  expect(names.findTableName(createStruct('v1.ServiceReference'), 'apiextensions.k8s.io')).toBe('apiextensions.k8s.io:ServiceReference');
  expect(names.findTableName(createStruct('v1.ObjectMeta'), 'apiextensions.k8s.io')).toBe('meta.ObjectMeta');
});

test('types that only requests or responses use have a struct, too', () => {
  expect([...(names.findStruct('autoscaling.ScaleStatus')?.fields.keys() ?? [])]).toEqual(['replicas', 'selector']);
  expect(names.findStruct('meta.DeleteOptions')?.fields.has('propagationPolicy')).toBe(true);
  expect(names.findStruct('types.UID')).toBeUndefined();
});
