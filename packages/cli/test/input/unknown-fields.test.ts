import { describe, expect, test } from 'vitest';
import { findUnknownFields } from '../../src/input/unknown-fields.ts';

const service = (spec: object, more: object = {}) => ({ apiVersion: 'v1', kind: 'Service', metadata: { name: 'web' }, spec, ...more });

describe('findUnknownFields', () => {
  test.each([
    [
      'a field with a wrong case',
      service({ ports: [{ port: 80, targetport: 8080 }] }),
      [{ path: 'spec.ports[0].targetport', nearest: 'targetPort' }],
    ],
    ['a misspelt field', service({ selectr: { app: 'web' } }), [{ path: 'spec.selectr', nearest: 'selector' }]],
    ['a field with no similar name', service({ banana: 1 }), [{ path: 'spec.banana' }]],
    ['a field at the wrong level', service({}, { ports: [] }), [{ path: 'ports' }]],
    [
      'a field of the containers in a pod template',
      { apiVersion: 'apps/v1', kind: 'Deployment', spec: { template: { spec: { containers: [{ name: 'a', port: [] }] } } } },
      [{ path: 'spec.template.spec.containers[0].port', nearest: 'ports' }],
    ],
    [
      'a field of a route',
      { apiVersion: 'gateway.networking.k8s.io/v1', kind: 'HTTPRoute', spec: { rules: [{ backendrefs: [] }] } },
      [{ path: 'spec.rules[0].backendrefs', nearest: 'backendRefs' }],
    ],
    [
      'a field of a network policy',
      { apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', spec: { podSelector: {}, ingres: [] } },
      [{ path: 'spec.ingres', nearest: 'ingress' }],
    ],
  ])('finds %s', (_, object, expected) => {
    expect(findUnknownFields(object)).toStrictEqual(expected);
  });

  test.each([
    ['a valid object', service({ ports: [{ port: 80, targetPort: 'http' }], selector: { anyKey: 'x' } })],
    [
      'labels and annotations, which have any key',
      service({}, { metadata: { name: 'web', labels: { nam: 'x' }, annotations: { targetport: '1' } } }),
    ],
    ['the status, which a server writes', service({}, { status: { anything: 1 } })],
    ['a kind without a table', { apiVersion: 'example.com/v1', kind: 'Service', anything: 1 }],
    ['something without a kind', {}],
  ])('finds nothing in %s', (_, object) => {
    expect(findUnknownFields(object)).toStrictEqual([]);
  });

  test('stops after some fields, because the object is probably of another kind', () => {
    const spec = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`field${index}`, 1]));
    expect(findUnknownFields(service(spec))).toHaveLength(20);
  });
});
