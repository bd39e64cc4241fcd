import type { EndpointSliceInput, Endpoints, Pod, Service } from 'kube-endpoints/types';
import { describe, expect, it } from 'vitest';
import { selectProxyObjects } from '../../src/report/proxy-objects.ts';
import { inventoryOf } from '../objects.ts';

const [fromFiles, fromCluster] = [false, true];

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
  slices.flatMap(({ endpoints }) => endpoints?.flatMap((endpoint) => endpoint.addresses) ?? []);

describe('EndpointSlices for kube-proxy', () => {
  it('are those of the input, without the slices of headless Services', () => {
    const slices = [
      slice('a', { 'kubernetes.io/service-name': 'web' }),
      slice('b', { 'kubernetes.io/service-name': 'db', 'service.kubernetes.io/headless': '' }),
    ];
    const { endpointSlices, hints } = selectProxyObjects(inventoryOf({ services: [web], pods: [pod], slices }), fromFiles);
    expect(endpointSlices.map(({ metadata }) => metadata?.name)).toEqual(['a']);
    expect(hints).toEqual([]);
  });

  it('are computed and named if a file holds none', () => {
    const { endpointSlices, hints } = selectProxyObjects(inventoryOf({ services: [web], pods: [pod] }), fromFiles);
    expect(endpointSlices.map(({ metadata }) => [metadata?.name, metadata?.labels?.['kubernetes.io/service-name']])).toEqual([
      ['web-1', 'web'],
    ]);
    expect(addresses(endpointSlices)).toEqual(['10.1.0.1']);
    expect(hints).toEqual([expect.stringContaining('No EndpointSlices in the input')]);
  });

  it('are mirrored from Endpoints if the Service has no selector', () => {
    const { selector: _, ...spec } = web.spec ?? {};
    const withoutSelector: Service = { ...web, spec };
    const endpoints = {
      metadata: { namespace: 'shop', name: 'web' },
      subsets: [{ addresses: [{ ip: '10.1.0.7' }], ports: [{ port: 80 }] }],
    } as Endpoints;
    expect(
      addresses(
        selectProxyObjects(inventoryOf({ services: [withoutSelector], pods: [pod], endpoints: [endpoints] }), fromFiles).endpointSlices,
      ),
    ).toEqual(['10.1.0.7']);
    expect(
      addresses(selectProxyObjects(inventoryOf({ services: [web], pods: [pod], endpoints: [endpoints] }), fromFiles).endpointSlices),
    ).toEqual(['10.1.0.1']);
  });

  it('are not computed if read from a cluster', () => {
    expect(selectProxyObjects(inventoryOf({ services: [web], pods: [pod] }), fromCluster)).toEqual({
      services: [web],
      endpointSlices: [],
      endpoints: [],
      hints: [],
    });
  });
});

describe('Endpoints for kube-proxy 1.18, which does not read EndpointSlices', () => {
  const earlier = { version: '1.18' };
  const makeEndpoints = (ip: string, labels = {}) =>
    ({ metadata: { namespace: 'shop', name: 'web', labels }, subsets: [{ addresses: [{ ip }], ports: [{ port: 80 }] }] }) as Endpoints;
  const ipsOf = ({ endpoints }: ReturnType<typeof selectProxyObjects>) =>
    endpoints.flatMap(({ subsets }) => subsets?.flatMap((subset) => subset.addresses?.map(({ ip }) => ip)) ?? []);

  it('are those of the input, without those of headless Services', () => {
    const input = inventoryOf({ services: [web], pods: [pod], endpoints: [makeEndpoints('10.1.0.7')] });
    const selected = selectProxyObjects(input, fromFiles, earlier);
    expect([ipsOf(selected), selected.endpointSlices, selected.hints]).toEqual([['10.1.0.7'], [], []]);
    const headless = inventoryOf({ services: [web], endpoints: [makeEndpoints('10.1.0.7', { 'service.kubernetes.io/headless': '' })] });
    expect(ipsOf(selectProxyObjects(headless, fromCluster, earlier))).toEqual([]);
  });

  it('are computed if files lack them, but not if a cluster does', () => {
    const input = inventoryOf({ services: [web], pods: [pod], slices: [slice('a', { 'kubernetes.io/service-name': 'web' })] });
    const selected = selectProxyObjects(input, fromFiles, earlier);
    expect(ipsOf(selected)).toEqual(['10.1.0.1']);
    expect(selected.hints).toEqual([
      'kube-proxy 1.18 reads Endpoints, not EndpointSlices, and the input lacks those of 1 Service: these are what Kubernetes 1.18 writes for the Pods of the input.',
    ]);
    expect(ipsOf(selectProxyObjects(input, fromCluster, earlier))).toEqual([]);
  });

  it('are selected beside EndpointSlices if only one of two releases reads them', () => {
    const input = inventoryOf({ services: [web], pods: [pod] });
    const selected = selectProxyObjects(input, fromFiles, { version: '1.22' }, [earlier, { version: '1.22' }]);
    expect([addresses(selected.endpointSlices), ipsOf(selected)]).toEqual([['10.1.0.1'], ['10.1.0.1']]);
  });
});

describe('Services for kube-proxy', () => {
  it('exclude Services assigned to another proxy', () => {
    const other: Service = { ...web, metadata: { ...web.metadata, labels: { 'service.kubernetes.io/service-proxy-name': 'mesh' } } };
    expect(selectProxyObjects(inventoryOf({ services: [other] }), fromCluster).services).toEqual([]);
  });

  it('cause a hint if their cluster IP is a placeholder', () => {
    expect(
      selectProxyObjects(inventoryOf({ services: [web], servicesWithPlaceholderIP: new Set(['shop/web']) }), fromCluster).hints,
    ).toEqual(['The input lacks the cluster IP of 1 Service: a placeholder address is used.']);
  });
});
