import { expect, test } from 'vitest';
import { toCustomDefinitionName, toDefinitionName } from '../../src/openapi/type-names.ts';

test.each([
  ['core.Service', 'io.k8s.api.core.v1.Service'],
  ['meta.ObjectMeta', 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta'],
  ['admissionregistration.Rule', 'io.k8s.api.admissionregistration.v1.Rule'],
  ['autoscaling/v2.MetricSpec', 'io.k8s.api.autoscaling.v2.MetricSpec'],
  ['apiextensions.JSONSchemaProps', 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps'],
])('the type %s is published as %s', (tableName, definitionName) => {
  expect(toDefinitionName(tableName)).toBe(definitionName);
});

test('the definition of a custom resource has the reversed group as prefix', () => {
  expect(toCustomDefinitionName('stable.example.com', 'v1beta1', 'Widget')).toBe('com.example.stable.v1beta1.Widget');
});
