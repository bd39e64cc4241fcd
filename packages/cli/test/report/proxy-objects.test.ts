import type { EndpointSliceInput, Endpoints, Pod, Service } from 'kube-endpoints/types';
import { describe, expect, it } from 'vitest';
import { proxyObjects } from '../../src/report/proxy-objects.ts';
import { inventoryOf } from '../objects.ts';

const web: Service = {
  metadata: { namespace: 'shop', name: 'web' },
  spec: {
    type: 'ClusterIP',
    selector: { app: 'web' },
    clusterIP: '10.96.0.1',
    ipFamilies: ['IPv4'],
    ports: [{ port: 80, protocol: 'TCP' }],
  },
};
const pod: Pod = {
  metadata: { namespace: 'shop', name: 'web-1', labels: { app: 'web' } },
  spec: { nodeName: 'n1', containers: [] },
  status: { phase: 'Running', podIP: '10.1.0.1', podIPs: [{ ip: '10.1.0.1' }], conditions: [{ type: 'Ready', status: 'True' }] },
};
const slice = (name: string, labels: Readonly<Record<string, string>>): EndpointSliceInput => ({
  metadata: { namespace: 'shop', name, labels },
  addressType: 'IPv4',
  endpoints: [{ addresses: ['10.1.0.9'] }],
});
const addresses = (slices: readonly EndpointSliceInput[]) =>
  slices.flatMap(({ endpoints }) => endpoints?.flatMap((each) => each.addresses) ?? []);

describe('slices', () => {
  it('are those of the input, but for those of headless Services', () => {
    const slices = [
      slice('a', { 'kubernetes.io/service-name': 'web' }),
      slice('b', { 'kubernetes.io/service-name': 'db', 'service.kubernetes.io/headless': '' }),
    ];
    const { endpointSlices, hints } = proxyObjects(inventoryOf({ services: [web], pods: [pod], slices }), false);
    expect(endpointSlices.map(({ metadata }) => metadata?.name)).toEqual(['a']);
    expect(hints).toEqual([]);
  });

  it('are made of the pods where a file holds none, under names of their own', () => {
    const { endpointSlices, hints } = proxyObjects(inventoryOf({ services: [web], pods: [pod] }), false);
    expect(endpointSlices.map(({ metadata }) => [metadata?.name, metadata?.labels?.['kubernetes.io/service-name']])).toEqual([
      ['web-1', 'web'],
    ]);
    expect(addresses(endpointSlices)).toEqual(['10.1.0.1']);
    expect(hints).toEqual([expect.stringContaining('No EndpointSlices in the input')]);
  });

  it('are made of Endpoints where a Service has no selector', () => {
    const { selector: _, ...spec } = web.spec ?? {};
    const alone: Service = { ...web, spec };
    const endpoints = {
      metadata: { namespace: 'shop', name: 'web' },
      subsets: [{ addresses: [{ ip: '10.1.0.7' }], ports: [{ port: 80 }] }],
    } as Endpoints;
    expect(addresses(proxyObjects(inventoryOf({ services: [alone], pods: [pod], endpoints: [endpoints] }), false).endpointSlices)).toEqual([
      '10.1.0.7',
    ]);
    expect(addresses(proxyObjects(inventoryOf({ services: [web], pods: [pod], endpoints: [endpoints] }), false).endpointSlices)).toEqual([
      '10.1.0.1',
    ]);
  });

  it('are none where a cluster has none', () => {
    expect(proxyObjects(inventoryOf({ services: [web], pods: [pod] }), true)).toEqual({ services: [web], endpointSlices: [], hints: [] });
  });
});

describe('Services', () => {
  it('are those that no other proxy is named for', () => {
    const other: Service = { ...web, metadata: { ...web.metadata, labels: { 'service.kubernetes.io/service-proxy-name': 'mesh' } } };
    expect(proxyObjects(inventoryOf({ services: [other] }), true).services).toEqual([]);
  });

  it('may have an address that the input does not tell', () => {
    expect(proxyObjects(inventoryOf({ services: [web], standIns: new Set(['shop/web']) }), true).hints).toEqual([
      'The input does not tell the cluster IP of 1 Service: another address stands for it.',
    ]);
  });
});
