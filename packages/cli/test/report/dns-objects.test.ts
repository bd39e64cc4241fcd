import { describe, expect, test } from 'vitest';
import { UsageError } from '../../src/base/io.ts';
import type { ZoneFlags } from '../../src/flags/zone.ts';
import { createDnsInput, createZoneFromFlags, filterByNamespace } from '../../src/report/dns-objects.ts';
import { endpoints, inventoryOf, pod, service, slice } from '../objects.ts';

const flags: ZoneFlags = { zone: 'cluster.local', pods: 'disabled', ttl: 5, endpointPodNames: false, ignoreEmptyService: false };
const [fromFiles, fromCluster] = [false, true];
const slicesIn = (input: ReturnType<typeof createDnsInput>) =>
  [...(input.objects.endpointSlices ?? [])].map(({ metadata, endpoints: sliceEndpoints }) => [
    metadata?.name,
    metadata?.labels?.['kubernetes.io/service-name'],
    ...(sliceEndpoints ?? []).flatMap(({ addresses }) => addresses ?? []),
  ]);

const web = service('web', { selector: { app: 'web' }, clusterIP: 'None', ports: [{ port: 80, protocol: 'TCP', targetPort: 8080 }] });

describe('EndpointSlices for DNS', () => {
  test('are used unchanged if the input holds some', () => {
    const input = createDnsInput(
      inventoryOf({ services: [web], pods: [pod('a', 'web', '10.0.0.1')], slices: [slice('web-x', 'web')] }),
      fromFiles,
    );
    expect([slicesIn(input), input.hints]).toEqual([[['web-x', 'web']], []]);
  });

  test('are computed from the pods of a file without slices, with a hint', () => {
    const input = createDnsInput(inventoryOf({ services: [web], pods: [pod('a', 'web', '10.0.0.1')] }), fromFiles);
    expect(slicesIn(input)).toEqual([['web-1', 'web', '10.0.0.1']]);
    expect(input.hints).toEqual([expect.stringContaining('No EndpointSlices in the input')]);
  });

  test('are mirrored from user-written Endpoints', () => {
    const manual = service('db', { selector: null, clusterIP: 'None', ports: [{ port: 5432 }] });
    const subsets = [{ addresses: [{ ip: '192.0.2.9' }], ports: [{ port: 5432 }] }];
    const input = createDnsInput(inventoryOf({ services: [manual], endpoints: [endpoints('db', subsets)] }), fromFiles);
    expect(slicesIn(input)).toEqual([['db-1', 'db', '192.0.2.9']]);
  });

  test('are not computed if the objects are read from a cluster', () => {
    const input = createDnsInput(inventoryOf({ services: [web], pods: [pod('a', 'web', '10.0.0.1')] }), fromCluster);
    expect([slicesIn(input), input.hints]).toEqual([[], []]);
  });
});

test('every cluster has the default namespaces', () => {
  const { objects } = createDnsInput(inventoryOf({ namespaces: [{ metadata: { name: 'shop' } }] }), fromFiles);
  const names = ['shop', 'default', 'kube-system', 'kube-public', 'kube-node-lease'];
  expect([...(objects.namespaces ?? [])].map(({ metadata }) => metadata?.name)).toEqual(names);
});

test('filterByNamespace keeps the namespace and the objects in it', () => {
  const metadata = { name: 'web', namespace: 'bank' };
  const objects = {
    services: [web, { metadata }],
    endpointSlices: [{ metadata }],
    pods: [{ metadata }],
    namespaces: [{ metadata: { name: 'shop' } }],
  };
  expect(filterByNamespace(objects, 'shop')).toEqual({
    services: [web],
    endpointSlices: [],
    endpoints: [],
    pods: [],
    namespaces: objects.namespaces,
  });
  expect(filterByNamespace(objects, 'bank')).toEqual({
    services: [{ metadata }],
    endpointSlices: [{ metadata }],
    endpoints: [],
    pods: [{ metadata }],
    namespaces: [],
  });
});

test('placeholder cluster IPs cause a hint', () => {
  expect(createDnsInput(inventoryOf({ servicesWithPlaceholderIP: new Set(['shop/a', 'shop/b']) }), fromFiles).hints).toEqual([
    'The input lacks the cluster IP of 2 Services: a placeholder address is used.',
  ]);
});

describe('a zone', () => {
  test('uses the settings of the flags', () => {
    const zone = createZoneFromFlags({ ...flags, zone: 'acme.test', ttl: 30 }, {}, { now: () => 5000 });
    expect([zone.zones, zone.serial]).toEqual([['acme.test.', 'in-addr.arpa.', 'ip6.arpa.'], expect.any(Number)]);
    expect(zone.answer({ name: 'acme.test.', type: 'SOA' }).reply?.answer).toMatchObject([{ ttl: 30 }]);
  });

  test('fails with a usage error for an unknown CoreDNS release', () => {
    expect(() => createZoneFromFlags({ ...flags, coredns: '2.0' }, {})).toThrow(UsageError);
    expect(createZoneFromFlags({ ...flags, coredns: 'v1.8.6' }, {}).zones).toHaveLength(3);
  });
});
