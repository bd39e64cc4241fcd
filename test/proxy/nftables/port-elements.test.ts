import { expect, it } from 'vitest';
import type { ProxyService } from '../../../src/proxy/index.ts';
import { createPortNamer, createPortTraffic } from '../../../src/proxy/nftables/names.ts';
import { createPortElements } from '../../../src/proxy/nftables/port-fragment.ts';
import { readNftablesSettings } from '../../../src/proxy/nftables/settings.ts';
import { type EndpointSpec, makeWebService, portOf } from '../fixtures.ts';

const settings = readNftablesSettings({ name: 'n1', addresses: ['192.168.0.2'] }, 'IPv4');

function elements(service: ProxyService, endpoints: readonly EndpointSpec[]): string[] {
  const port = portOf(service, endpoints);
  return createPortElements(createPortTraffic(port, createPortNamer()(port)), settings).map(({ container, element: { key, value = '' } }) =>
    `${container} ${key} ${value.replace(/-[A-Z2-7]{8}-.*/, '')}`.trimEnd(),
  );
}

const nodePortSpec = { type: 'NodePort', externalIPs: ['198.51.100.1'], ports: [{ name: 'http', port: 80, nodePort: 30_080 }] };

it('createPortElements returns an element for every address and node port', () => {
  expect(elements(makeWebService(nodePortSpec), [{ ip: '10.0.0.1' }])).toEqual([
    'cluster-ips 10.96.0.1',
    'service-ips 10.96.0.1 . tcp . 80 goto service',
    'service-ips 198.51.100.1 . tcp . 80 goto external',
    'service-nodeports tcp . 30080 goto external',
  ]);
  expect(elements(makeWebService(nodePortSpec), [])).toEqual([
    'cluster-ips 10.96.0.1',
    'no-endpoint-services 10.96.0.1 . tcp . 80 goto reject-chain',
    'no-endpoint-services 198.51.100.1 . tcp . 80 goto reject-chain',
    'no-endpoint-nodeports tcp . 30080 goto reject-chain',
  ]);
});

it('createPortElements drops external traffic if the policy is Local and no endpoint is local, except for clients in the cluster', () => {
  expect(elements(makeWebService({ ...nodePortSpec, externalTrafficPolicy: 'Local' }), [{ ip: '10.0.0.1' }])).toEqual([
    'cluster-ips 10.96.0.1',
    'service-ips 10.96.0.1 . tcp . 80 goto service',
    'service-ips 198.51.100.1 . tcp . 80 goto external',
    'no-endpoint-services 198.51.100.1 . tcp . 80 drop',
    'service-nodeports tcp . 30080 goto external',
    'no-endpoint-nodeports tcp . 30080 drop',
  ]);
});

it('createPortElements treats an external IP that equals the cluster IP as an external IP', () => {
  expect(elements(makeWebService({ externalIPs: ['10.96.0.1'] }), [{ ip: '10.0.0.1' }])).toEqual([
    'cluster-ips 10.96.0.1',
    'service-ips 10.96.0.1 . tcp . 80 goto external',
  ]);
});
