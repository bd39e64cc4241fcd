import type { ApiObject } from 'kube-endpoints/port';
import { describe, expect, test } from 'vitest';
import { projectDnsNamespace, projectDnsPod, projectDnsService, projectDnsSlice } from '../../src/dns/feed.ts';

const metadata = { name: 'web', namespace: 'shop', uid: 'u', resourceVersion: '7', annotations: { long: 'x' }, managedFields: [{}] };
const kept = { name: 'web', namespace: 'shop', uid: 'u', resourceVersion: '7' };

describe('what is kept of an object is what names look at', () => {
  test.each<[string, unknown, unknown]>([
    [
      'a Service',
      projectDnsService({
        metadata: { ...metadata, labels: { app: 'web' } },
        spec: {
          type: 'LoadBalancer',
          clusterIP: '10.0.0.1',
          selector: { app: 'web' },
          externalIPs: ['1.2.3.4'],
          ports: [{ port: 80, targetPort: 1 }],
        },
        status: { loadBalancer: { ingress: [{ ip: '5.6.7.8' }] } },
      }),
      {
        metadata: kept,
        spec: { type: 'LoadBalancer', clusterIP: '10.0.0.1', externalIPs: ['1.2.3.4'], ports: [{ port: 80 }] },
        status: { loadBalancer: { ingress: [{ ip: '5.6.7.8' }] } },
      },
    ],
    ['a Service without anything', projectDnsService({ metadata }), { metadata: kept, spec: {} }],
    [
      'a slice, with the labels that say whose it is',
      projectDnsSlice({
        metadata: { ...metadata, labels: { 'kubernetes.io/service-name': 'web' } },
        addressType: 'IPv4',
        endpoints: [{ addresses: ['10.0.0.1'], zone: 'a', targetRef: { kind: 'Pod', name: 'p', namespace: 'shop', uid: 'q' } }, {}],
        ports: null,
      } as unknown as ApiObject),
      {
        metadata: { ...kept, labels: { 'kubernetes.io/service-name': 'web' } },
        addressType: 'IPv4',
        endpoints: [{ addresses: ['10.0.0.1'], targetRef: { kind: 'Pod', name: 'p', namespace: 'shop' } }, { addresses: [] }],
        ports: [],
      },
    ],
    [
      'a slice of which a list holds nothing, as a slice with an empty one',
      projectDnsSlice({ metadata, addressType: 'IPv4', endpoints: [null] } as unknown as ApiObject),
      { metadata: kept, addressType: 'IPv4', endpoints: [{ addresses: [] }], ports: [] },
    ],
    [
      'a Service of which a list holds nothing, as a Service with an empty one',
      projectDnsService({ metadata, spec: { ports: [null] } } as unknown as ApiObject),
      { metadata: kept, spec: { ports: [{}] } },
    ],
    [
      'a pod',
      projectDnsPod({
        metadata: { ...metadata, deletionTimestamp: '2026-01-01T00:00:00Z' },
        status: { phase: 'Running', podIP: '10.0.0.1', conditions: [] },
      }),
      { metadata: { ...kept, deletionTimestamp: '2026-01-01T00:00:00Z' }, spec: {}, status: { phase: 'Running', podIP: '10.0.0.1' } },
    ],
    ['a namespace', projectDnsNamespace({ metadata: { name: 'shop', labels: { a: 'b' } } }), { metadata: { name: 'shop' } }],
  ])('%s', (_, projected, expected) => {
    expect(projected).toEqual(expected);
  });
});
