import { expect, test } from 'vitest';
import { mergingOf } from '../../src/openapi/merging.ts';

test('lists by keys, sets and lists that are one value', () => {
  expect(mergingOf('core.Container').field('ports')).toEqual({ listType: 'map', keys: ['containerPort', 'protocol'] });
  expect(mergingOf('core.NodeSpec').field('podCIDRs')).toEqual({ listType: 'set', keys: [] });
  expect(mergingOf('core.Container').field('args')).toEqual({ listType: 'atomic', keys: [] });
});

test('maps and structs that are one value', () => {
  expect(mergingOf('core.ServiceSpec').field('selector')).toEqual({ atomicMap: true });
  expect(mergingOf('core.ConfigMap').field('data')).toEqual({});
  expect(mergingOf('core.LocalObjectReference').atomic).toBe(true);
  expect(mergingOf('core.ServiceSpec').atomic).toBe(false);
});

test('types of the same name are told apart by their groups', () => {
  expect(mergingOf('discovery.EndpointPort').atomic).toBe(true);
  expect(mergingOf('admission.WebhookClientConfig').field('service')).toEqual({});
  expect(mergingOf('apiextensions.k8s.io:WebhookClientConfig').field('service')).toEqual({});
  expect(mergingOf('apiextensions.k8s.io:CustomResourceDefinitionStatus').field('conditions')).toEqual({ listType: 'map', keys: ['type'] });
});

test('nothing is known of others', () => {
  expect(mergingOf('core.Nothing').atomic).toBe(false);
  expect(mergingOf('core.Nothing').field('x')).toBeUndefined();
});
